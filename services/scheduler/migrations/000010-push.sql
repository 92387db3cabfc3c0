create sequence push_device_id;

-- A browser or phone that gets notifications.
create table push_device (
  realm_id bigint not null,
  id bigint not null default nextval('push_device_id'),
  user_id bigint not null,
  kind text not null check (kind in ('apns', 'fcm', 'web')),
  -- The token of a phone, or the address of a browser at its push service.
  token text not null,
  token_hash bytea not null,
  -- Name of the app, for Apple's devices.
  app_id text,
  -- A browser's public key and secret, in base64url.
  p256dh text,
  auth text,
  -- The key or session that registered it; the device ends with it.
  api_key_id bigint not null,
  registered_at timestamptz not null,
  -- Of the last delivery: the next one comes a while later.
  pushed_at timestamptz,
  primary key (realm_id, id),
  unique (realm_id, user_id, kind, token_hash)
);

create index push_device_by_token on push_device (realm_id, kind, token_hash);

-- A message of which a device is to be notified, or was, until it is read.
create table push (
  realm_id bigint not null,
  device_id bigint not null,
  message_id bigint not null,
  user_id bigint not null,
  -- Null: a direct message.
  channel_id bigint,
  trigger text not null,
  -- The notification that shows it; null: none does.
  tag text,
  -- It is to be shown, or the message has changed since.
  is_due boolean not null default true,
  -- Raised when the message changes, so that a delivery which began before does not overlook it.
  revision integer not null default 1,
  queued_at timestamptz not null,
  primary key (realm_id, device_id, message_id)
);

create index push_by_message on push (realm_id, message_id);
create index push_by_user on push (realm_id, user_id);
create index push_by_age on push (queued_at);
