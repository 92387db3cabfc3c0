-- Bearer tokens of identity providers. A rotated token's former secret is valid until former_ends_at.
create table scim_token (
  realm_id bigint not null references realm (id),
  id bigint generated always as identity,
  name text not null,
  -- SHA-256 of the token; the token itself is shown once and never stored.
  token_hash bytea not null check (octet_length(token_hash) = 32),
  former_hash bytea check (octet_length(former_hash) = 32),
  former_ends_at timestamptz,
  created_at timestamptz not null,
  revoked_at timestamptz,
  primary key (realm_id, id),
  constraint scim_token_hash_is_unique unique (token_hash),
  constraint scim_token_former_hash_is_unique unique (former_hash)
);

-- What an identity provider calls an account. Accounts without a row have their address as their name.
create table scim_user (
  realm_id bigint not null,
  user_id bigint not null,
  user_name text not null,
  -- In lower case.
  user_name_key text not null,
  external_id text,
  given_name text,
  family_name text,
  -- What the provider said about the account's only address.
  email_is_primary boolean not null default true,
  -- Deleted by the provider, which does not see it while it is inactive.
  is_removed boolean not null default false,
  -- The role that a mapped group gave to the account.
  given_role smallint,
  primary key (realm_id, user_id),
  constraint scim_user_name_is_unique unique (realm_id, user_name_key),
  foreign key (realm_id, user_id) references user_account (realm_id, id)
);
create index scim_user_by_external_id on scim_user (realm_id, external_id);

create table scim_group (
  realm_id bigint not null,
  group_id bigint not null,
  external_id text,
  -- Deleted by the provider, while something still uses the group.
  is_removed boolean not null default false,
  primary key (realm_id, group_id),
  foreign key (realm_id, group_id) references user_group (realm_id, id)
);
create index scim_group_by_external_id on scim_group (realm_id, external_id);

-- The role that members of a group get, by the group's name.
create table scim_role (
  realm_id bigint not null references realm (id),
  group_name text not null,
  role smallint not null,
  primary key (realm_id, group_name)
);
