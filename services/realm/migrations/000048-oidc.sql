-- Providers that sign users in by OpenID Connect.
create table oidc_provider (
  realm_id bigint not null references realm (id),
  id bigint generated always as identity,
  display_name text not null,
  -- Empty: none.
  icon_url text not null,
  issuer text not null,
  client_id text not null,
  -- Encrypted by a key made of BOT_KEY_SECRET; null: a public client.
  sealed_secret bytea,
  scopes text[] not null,
  new_accounts text not null,
  keys_end_at text not null,
  -- Empty: groups, or roles, do not follow the provider.
  groups_claim text not null,
  group_rules jsonb not null,
  roles_claim text not null,
  role_rules jsonb not null,
  primary key (realm_id, id)
);

-- Who signs in: the subject of an issuer, never an address.
create table oidc_identity (
  realm_id bigint not null,
  issuer text not null,
  subject text not null,
  user_id bigint not null,
  linked_at timestamptz not null,
  -- The role that the provider has given; null: none.
  given_role integer,
  primary key (realm_id, issuer, subject),
  foreign key (realm_id, user_id) references user_account (realm_id, id)
);

create index oidc_identity_by_user on oidc_identity (realm_id, user_id);

-- Sessions and keys made through a provider, which it can end.
create table oidc_session (
  realm_id bigint not null,
  api_key_id bigint not null,
  user_id bigint not null,
  provider_id bigint not null,
  subject text not null,
  -- The provider's name of its session; null: it gave none.
  sid text,
  primary key (realm_id, api_key_id),
  foreign key (realm_id, api_key_id) references api_key (realm_id, id) on delete cascade,
  foreign key (realm_id, provider_id) references oidc_provider (realm_id, id) on delete cascade
);

create index oidc_session_by_subject on oidc_session (realm_id, provider_id, subject);
create index oidc_session_by_sid on oidc_session (realm_id, provider_id, sid);

-- What may be used once and was: sign-ins, login tokens, logout tokens; as SHA-256, until they end by themselves.
create table oidc_spent (
  realm_id bigint not null,
  hash bytea not null,
  expires_at timestamptz not null,
  primary key (realm_id, hash)
);

create index oidc_spent_by_end on oidc_spent (expires_at);
