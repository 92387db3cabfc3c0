-- Keys named *_key hold the lower-cased name: made by the service, so that "the same name" means the same in every
-- locale of the server. Ids are unique across organizations; realm_id leads every primary key all the same.

create table realm (
  id bigint generated always as identity primary key,
  subdomain text not null,
  name text not null,
  description text not null default '',
  rendered_description text not null default '',
  topics_policy text not null default 'allow_empty_topic',
  is_deactivated boolean not null default false,
  -- Where new channels are announced.
  announcement_channel_id bigint,
  created_at timestamptz not null,
  constraint realm_subdomain_is_unique unique (subdomain)
);

create table user_account (
  realm_id bigint not null references realm (id),
  id bigint generated always as identity,
  -- The real address; `email` is the one the API shows, a made-up one while the real one is hidden.
  delivery_email text not null,
  email text not null,
  full_name text not null,
  full_name_key text not null,
  role smallint not null check (role in (100, 200, 300, 400, 600)),
  is_bot boolean not null default false,
  bot_type smallint check (bot_type between 1 and 4),
  bot_owner_id bigint,
  is_active boolean not null default true,
  timezone text not null default '',
  avatar_source text not null default 'G',
  avatar_version integer not null default 1,
  email_address_visibility smallint not null default 1,
  password_hash text,
  created_at timestamptz not null,
  primary key (realm_id, id),
  foreign key (realm_id, bot_owner_id) references user_account (realm_id, id),
  check (is_bot = (bot_type is not null)),
  check (is_bot = (bot_owner_id is not null))
);

create unique index user_account_delivery_email_is_unique on user_account (realm_id, lower(delivery_email));
create unique index user_account_email_is_unique on user_account (realm_id, lower(email));
create index user_account_by_name on user_account (realm_id, full_name_key);

create table bot_service (
  realm_id bigint not null,
  user_id bigint not null,
  payload_url text not null,
  -- 1 generic, 2 Slack-compatible.
  interface smallint not null check (interface in (1, 2)),
  -- Sent along with every call, so that the receiver knows who calls.
  token text not null,
  primary key (realm_id, user_id),
  foreign key (realm_id, user_id) references user_account (realm_id, id)
);

create table api_key (
  realm_id bigint not null,
  id bigint generated always as identity,
  user_id bigint not null,
  -- SHA-256 of the key; the key itself is shown once and never stored.
  key_hash bytea not null check (octet_length(key_hash) = 32),
  label text not null default '',
  created_at timestamptz not null,
  revoked_at timestamptz,
  primary key (realm_id, id),
  foreign key (realm_id, user_id) references user_account (realm_id, id),
  constraint api_key_hash_is_unique unique (key_hash)
);

create index api_key_by_user on api_key (realm_id, user_id);

-- The members of system groups follow from user_account.role, their nesting is a constant: neither is stored.
create table user_group (
  realm_id bigint not null references realm (id),
  id bigint generated always as identity,
  name text not null,
  name_key text not null,
  description text not null default '',
  is_system boolean not null default false,
  creator_id bigint,
  created_at timestamptz not null,
  primary key (realm_id, id),
  constraint user_group_name_is_unique unique (realm_id, name)
);

create index user_group_by_name on user_group (realm_id, name_key);

create table user_group_member (
  realm_id bigint not null,
  group_id bigint not null,
  user_id bigint not null,
  primary key (realm_id, group_id, user_id),
  foreign key (realm_id, group_id) references user_group (realm_id, id),
  foreign key (realm_id, user_id) references user_account (realm_id, id)
);

create table user_group_subgroup (
  realm_id bigint not null,
  group_id bigint not null,
  subgroup_id bigint not null check (subgroup_id <> group_id),
  primary key (realm_id, group_id, subgroup_id),
  foreign key (realm_id, group_id) references user_group (realm_id, id),
  foreign key (realm_id, subgroup_id) references user_group (realm_id, id)
);

create table channel (
  realm_id bigint not null references realm (id),
  id bigint generated always as identity,
  name text not null,
  name_key text not null,
  description text not null default '',
  rendered_description text not null default '',
  creator_id bigint,
  is_private boolean not null default false,
  is_web_public boolean not null default false,
  is_history_public boolean not null default true,
  is_archived boolean not null default false,
  is_default boolean not null default false,
  topics_policy text not null default 'inherit',
  can_send_message_group_id bigint not null,
  -- Raised by one in every transaction that changes the set of subscribers.
  subscription_version bigint not null default 0,
  -- Subscription intervals that last; kept in the same statement that raises the version.
  subscriber_count integer not null default 0,
  message_retention_days integer,
  folder_id bigint,
  created_at timestamptz not null,
  primary key (realm_id, id),
  foreign key (realm_id, can_send_message_group_id) references user_group (realm_id, id),
  constraint channel_name_is_unique unique (realm_id, name_key),
  check (not (is_private and is_web_public)),
  check (is_private or is_history_public),
  check (not (is_private and is_default))
);

create index channel_default on channel (realm_id) where is_default;

-- What a user has set for a channel; stays when the subscription ends.
create table subscription (
  realm_id bigint not null,
  channel_id bigint not null,
  user_id bigint not null,
  color text not null,
  is_muted boolean not null default false,
  is_pinned boolean not null default false,
  -- Null: the account's own setting holds.
  desktop_notifications boolean,
  audible_notifications boolean,
  push_notifications boolean,
  email_notifications boolean,
  wildcard_mentions_notify boolean,
  is_active boolean not null,
  primary key (realm_id, channel_id, user_id),
  foreign key (realm_id, channel_id) references channel (realm_id, id),
  foreign key (realm_id, user_id) references user_account (realm_id, id)
);

create index subscription_by_user on subscription (realm_id, user_id, channel_id);

-- Half-open intervals of channel.subscription_version: what was sent within them was received.
create table subscription_interval (
  realm_id bigint not null,
  channel_id bigint not null,
  user_id bigint not null,
  from_version bigint not null,
  -- Null while it lasts.
  to_version bigint check (to_version > from_version),
  primary key (realm_id, channel_id, user_id, from_version)
);

create unique index subscription_interval_lasting on subscription_interval (realm_id, channel_id, user_id)
  where to_version is null;
create index subscription_interval_by_user on subscription_interval (realm_id, user_id, channel_id);
