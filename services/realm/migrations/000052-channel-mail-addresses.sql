-- Addresses at which mail becomes messages of a channel: each belongs to the user who asked for it, and ends with their right to post.
create table channel_mail_address (
  realm_id bigint not null,
  id bigint generated always as identity,
  channel_id bigint not null,
  user_id bigint not null,
  -- In whose name mail is posted; null: the notification bot.
  sender_id bigint,
  -- The token follows from it and BOT_KEY_SECRET; only its SHA-256 is stored.
  salt bytea not null,
  token_hash bytea not null check (octet_length(token_hash) = 32),
  created_at timestamptz not null,
  primary key (realm_id, id),
  constraint channel_mail_address_token_is_unique unique (token_hash),
  foreign key (realm_id, channel_id) references channel (realm_id, id),
  foreign key (realm_id, user_id) references user_account (realm_id, id)
);
create index channel_mail_address_of_user on channel_mail_address (realm_id, user_id, channel_id);
