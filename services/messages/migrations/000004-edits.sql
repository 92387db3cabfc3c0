-- Edits in the order in which they happened: drawn while the conversation is held.
create sequence edit_id;

-- The channel's subscription version when it was moved there; null while it is in the channel that it was sent to.
alter table message add column moved_version bigint;

-- What a topic's new name has to reset.
create index message_with_own_topic on message (realm_id, conversation_id)
  where topic_name is not null or topic_links is not null;
-- The oldest direct messages, for retention.
create index message_direct on message (realm_id, id) where channel_id is null;

-- What happened to one message. Aspects that were not edited are null; the conversations are set when it changed from one to another.
create table message_edit (
  realm_id bigint not null,
  message_id bigint not null,
  edit_id bigint not null,
  actor_id bigint not null,
  edited_at timestamptz not null,
  prev_content text,
  prev_rendered_content text,
  prev_topic text,
  topic text,
  prev_channel_id bigint,
  channel_id bigint,
  from_conversation_id bigint,
  to_conversation_id bigint,
  primary key (realm_id, message_id, edit_id)
);

-- All messages that were in a topic, up to the last one, got another name: the topic did.
create table topic_edit (
  realm_id bigint not null,
  conversation_id bigint not null,
  edit_id bigint not null,
  actor_id bigint not null,
  edited_at timestamptz not null,
  prev_topic text not null,
  topic text not null,
  last_message_id bigint not null,
  primary key (realm_id, conversation_id, edit_id)
);

-- Deleted messages with all that hung on them, until they are purged.
create table archived_message (
  realm_id bigint not null,
  message_id bigint not null,
  archived_at timestamptz not null,
  content jsonb not null,
  primary key (realm_id, message_id)
);

create index archived_message_by_age on archived_message (archived_at);

create index mention_of_message on mention (realm_id, message_id);
