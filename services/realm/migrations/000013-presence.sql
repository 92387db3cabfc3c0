-- When people were there, one row each, changed at most about once a minute.
create table user_presence (
  realm_id bigint not null,
  user_id bigint not null,
  -- Null: they were connected, but not seen doing anything.
  active_at timestamptz,
  connected_at timestamptz not null,
  -- Of the change that came last: clients ask for what is new to them.
  update_id bigint not null,
  primary key (realm_id, user_id),
  foreign key (realm_id, user_id) references user_account (realm_id, id)
);

create index user_presence_by_update on user_presence (realm_id, update_id);
create index user_presence_by_connection on user_presence (realm_id, connected_at);

-- The organization's changes are numbered one after the other: whoever changes a presence holds this row until it is committed, so
-- that nobody sees a number while a lower one is yet to come.
create table presence_sequence (
  realm_id bigint primary key references realm (id),
  last_id bigint not null
);
