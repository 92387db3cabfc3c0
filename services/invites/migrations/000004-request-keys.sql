-- What came of requests that carry a key of their sender's, so that whoever repeats one gets the first answer again, for a day.
create table request_key (
  realm_id bigint not null,
  user_id bigint not null,
  kind text not null check (kind in ('invitations', 'link')),
  key text not null,
  created_at timestamptz not null,
  -- Of a link.
  link_id bigint,
  -- Of invitations: addresses that were left out, and why.
  skipped jsonb not null default '[]',
  primary key (realm_id, user_id, kind, key)
);

create index request_key_by_age on request_key (created_at);
