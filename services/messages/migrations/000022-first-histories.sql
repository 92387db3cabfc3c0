-- What somebody who is new was given of what others had written before: the messages of these channels between two ids, both included.
create table first_history (
  realm_id bigint not null,
  user_id bigint not null,
  channel_ids bigint[] not null,
  from_id bigint not null,
  to_id bigint not null,
  primary key (realm_id, user_id)
);
