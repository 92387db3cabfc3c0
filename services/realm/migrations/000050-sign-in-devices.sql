-- Devices from which accounts have signed in: people are told of others.
create table sign_in_device (
  realm_id bigint not null,
  user_id bigint not null,
  device_hash bytea not null,
  used_at timestamptz not null,
  primary key (realm_id, user_id, device_hash)
);
