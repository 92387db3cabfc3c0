-- What bots have beside their accounts; those without a row have nothing of it.
create table bot (
  realm_id bigint not null,
  user_id bigint not null,
  -- Where its messages go, and whence its events come, unless it says otherwise.
  default_sending_channel_id bigint,
  default_events_channel_id bigint,
  hears_all_public_channels boolean not null default false,
  -- Texts by name, which only the bot's code understands.
  config_data jsonb not null default '{}',
  primary key (realm_id, user_id),
  foreign key (realm_id, user_id) references user_account (realm_id, id),
  foreign key (realm_id, default_sending_channel_id) references channel (realm_id, id),
  foreign key (realm_id, default_events_channel_id) references channel (realm_id, id)
);

create index user_account_by_owner on user_account (bot_owner_id, realm_id) where bot_owner_id is not null;

-- With the service's secret it gives the key again, and only with it; null: nothing does.
alter table api_key add column salt bytea check (octet_length(salt) = 16);

-- Phones that want to be notified.
create table push_token (
  realm_id bigint not null,
  user_id bigint not null,
  kind text not null check (kind in ('apns', 'fcm')),
  -- SHA-256 of the token, which is too long for an index.
  token_hash bytea not null check (octet_length(token_hash) = 32),
  token text not null,
  -- Apple's devices only.
  app_id text,
  registered_at timestamptz not null,
  primary key (realm_id, user_id, kind, token_hash),
  foreign key (realm_id, user_id) references user_account (realm_id, id)
);

-- Until when the ends of waiting periods have been announced; an organization without a row: since it began, none.
create table waiting_period_mark (
  realm_id bigint primary key references realm (id),
  announced_until timestamptz not null
);
