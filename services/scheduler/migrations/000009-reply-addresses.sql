-- Addresses to which people reply by mail: each for one person and one conversation. Only hashes of the tokens are stored.
create sequence reply_address_id;

create table reply_address (
  realm_id bigint not null,
  id bigint not null default nextval('reply_address_id'),
  user_id bigint not null,
  -- Of the conversation: its channel and topic, or its participants.
  conversation text not null,
  channel_id bigint,
  topic text not null default '',
  participant_ids bigint[] not null default '{}',
  -- The newest one that the person was sent a mail about; the reply goes to where it is by then.
  message_id bigint not null,
  -- The token follows from it and the service's secret.
  salt bytea not null,
  token_hash bytea not null,
  created_at timestamptz not null,
  ends_at timestamptz not null,
  primary key (realm_id, id)
);

create unique index reply_address_by_token on reply_address (token_hash);
create index reply_address_of_person on reply_address (realm_id, user_id, conversation);
create index reply_address_by_end on reply_address (ends_at);
