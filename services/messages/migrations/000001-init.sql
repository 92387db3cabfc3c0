-- Topics and direct conversations draw their ids from one sequence: a conversation_id names one of either.
create sequence conversation_id;
create sequence message_id;

create table topic (
  realm_id bigint not null,
  id bigint not null default nextval('conversation_id'),
  channel_id bigint not null,
  -- As first written; a message written in another casing keeps its own in message.topic_name.
  name text not null,
  -- In lower case: topics are one when their keys are.
  name_key text not null,
  max_message_id bigint not null,
  primary key (realm_id, id),
  unique (realm_id, channel_id, name_key)
) with (fillfactor = 80);

create table direct_conversation (
  realm_id bigint not null,
  id bigint not null default nextval('conversation_id'),
  -- Ascending, the sender included; the set is the conversation.
  participant_ids bigint[] not null,
  max_message_id bigint not null,
  primary key (realm_id, id),
  unique (realm_id, participant_ids)
) with (fillfactor = 80);

create index direct_conversation_of_participant on direct_conversation using gin (participant_ids);

create table message (
  realm_id bigint not null,
  id bigint not null,
  conversation_id bigint not null,
  -- The channel it is in now; null for direct messages.
  channel_id bigint,
  -- Who received it: the subscribers of that channel at that subscription version.
  sent_channel_id bigint,
  sent_version bigint,
  sender_id bigint not null,
  -- Only where it differs in casing from topic.name.
  topic_name text,
  topic_links jsonb,
  content text not null,
  rendered_content text not null,
  sent_at timestamptz not null,
  client_name text not null,
  is_me_message boolean not null,
  is_read_by_sender boolean not null,
  mentions_channel boolean not null,
  mentions_topic boolean not null,
  primary key (realm_id, id),
  check ((channel_id is null) = (sent_channel_id is null) and (channel_id is null) = (sent_version is null))
);

create index message_of_channel on message (realm_id, channel_id, id desc) where channel_id is not null;
create index message_of_conversation on message (realm_id, conversation_id, id desc);

-- Whom a message mentions by name or as members of a group; wildcards are columns of the message.
create table mention (
  realm_id bigint not null,
  user_id bigint not null,
  message_id bigint not null,
  primary key (realm_id, user_id, message_id)
);

-- What makes a repeated send answer as the first one did.
create table send_key (
  realm_id bigint not null,
  sender_id bigint not null,
  key text not null,
  message_id bigint not null,
  created_at timestamptz not null,
  primary key (realm_id, sender_id, key)
);

create index send_key_by_age on send_key (created_at);
