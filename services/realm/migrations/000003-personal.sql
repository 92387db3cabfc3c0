-- What an account has chosen, or began with because its organization had; by the settings' names in the API. A setting that is
-- absent was never chosen: the catalogue's default holds. So later defaults of the organization do not reach older accounts.
create table user_settings (
  realm_id bigint not null,
  user_id bigint not null,
  chosen jsonb not null,
  primary key (realm_id, user_id),
  foreign key (realm_id, user_id) references user_account (realm_id, id)
);

-- Those who do not want to be seen coming and going.
create index user_settings_away on user_settings (realm_id, user_id) where chosen @> '{"presence_enabled": false}';

-- What accounts begin with that are made from now on.
create table realm_user_settings_defaults (
  realm_id bigint primary key references realm (id),
  chosen jsonb not null
);

create table user_status (
  realm_id bigint not null,
  user_id bigint not null,
  -- Empty: not set.
  status_text text not null,
  emoji_name text not null,
  emoji_code text not null,
  reaction_type text not null,
  updated_at timestamptz not null,
  primary key (realm_id, user_id),
  foreign key (realm_id, user_id) references user_account (realm_id, id)
);

create table muted_user (
  realm_id bigint not null,
  user_id bigint not null,
  muted_user_id bigint not null check (muted_user_id <> user_id),
  muted_at timestamptz not null,
  primary key (realm_id, user_id, muted_user_id),
  foreign key (realm_id, user_id) references user_account (realm_id, id),
  foreign key (realm_id, muted_user_id) references user_account (realm_id, id)
);

create table alert_word (
  realm_id bigint not null,
  user_id bigint not null,
  word_key text not null,
  word text not null,
  -- Messages are looked at for the word from then on.
  added_at timestamptz not null,
  -- Orders what was added together.
  position bigint generated always as identity,
  primary key (realm_id, user_id, word_key),
  foreign key (realm_id, user_id) references user_account (realm_id, id)
);

create table navigation_view (
  realm_id bigint not null,
  user_id bigint not null,
  fragment text not null,
  is_pinned boolean not null,
  -- Null: a view that clients bring along.
  name text,
  position bigint generated always as identity,
  primary key (realm_id, user_id, fragment),
  foreign key (realm_id, user_id) references user_account (realm_id, id),
  constraint navigation_view_name_is_unique unique (realm_id, user_id, name)
);

-- Attempts to sign in that failed or have not ended yet, by SHA-256 of the lower-cased login name: people mistype all sorts of
-- things, passwords among them.
create table sign_in_attempt (
  realm_id bigint not null references realm (id),
  login_hash bytea not null check (octet_length(login_hash) = 32),
  attempted_at timestamptz[] not null,
  -- When the last of them counts no more.
  expires_at timestamptz not null,
  primary key (realm_id, login_hash)
);

create index sign_in_attempt_by_expiry on sign_in_attempt (expires_at);
