-- What came of requests that carry a key of their sender's, so that whoever repeats one gets the first answer again, for a day.
create table request_key (
  realm_id bigint not null,
  user_id bigint not null,
  -- What was asked for.
  kind text not null,
  key text not null,
  answer jsonb not null,
  -- Of all that was asked for: with anything else the key is refused.
  digest text not null,
  created_at timestamptz not null,
  primary key (realm_id, user_id, kind, key)
);

create index request_key_by_age on request_key (created_at);
