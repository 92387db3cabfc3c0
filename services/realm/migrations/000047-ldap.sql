-- An organization's LDAP directory.
create table ldap_directory (
  realm_id bigint primary key,
  is_enabled boolean not null default false,
  url text not null,
  ca text not null default '',
  bind_dn text not null default '',
  -- Encrypted by a key that follows from BOT_KEY_SECRET.
  bind_password bytea not null,
  user_base text not null,
  user_filter text not null,
  login_filter text not null,
  id_attribute text not null,
  email_attribute text not null,
  name_attribute text not null,
  -- Who gets an account: sync (everybody), sign_in (who signs in) or nobody.
  new_accounts text not null,
  -- A sync that would deactivate more deactivates nobody. Null: derived from the number of accounts.
  max_deactivations int,
  -- Empty: groups do not follow the directory.
  group_base text not null default '',
  group_filter text not null default '',
  group_rules jsonb not null default '[]',
  role_rules jsonb not null default '[]'
);

-- What came of the last sync of a directory.
create table ldap_sync (
  realm_id bigint primary key,
  began_at timestamptz not null,
  -- The last one that read the whole directory.
  succeeded_at timestamptz,
  outcome jsonb not null
);

-- The entries of the directory that accounts belong to.
create table ldap_identity (
  realm_id bigint not null,
  entry_id text not null,
  user_id bigint not null,
  linked_at timestamptz not null,
  -- When a sync deactivated the account; null: the entry was there.
  left_at timestamptz,
  -- The role that the directory gave to the account, whose own was another one; null: none.
  given_role smallint,
  primary key (realm_id, entry_id),
  constraint ldap_identity_of_user unique (realm_id, user_id)
);
