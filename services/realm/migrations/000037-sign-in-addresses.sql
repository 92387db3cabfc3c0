-- From where accounts have signed in with a password, the addresses as SHA-256: wrong passwords of others do not keep them from it there.
create table sign_in_address (
  realm_id bigint not null,
  user_id bigint not null,
  address_hash bytea not null,
  used_at timestamptz not null,
  primary key (realm_id, user_id, address_hash)
);
