-- What users have decided about topics: 1 muted, 2 unmuted, 3 followed. By name and not by the topic's row, as a topic without
-- messages may have a policy.
create table topic_policy (
  realm_id bigint not null,
  user_id bigint not null,
  channel_id bigint not null,
  name_key text not null,
  name text not null,
  policy smallint not null check (policy between 1 and 3),
  updated_at timestamptz not null,
  primary key (realm_id, user_id, channel_id, name_key)
);

create index topic_policy_of_topic on topic_policy (realm_id, channel_id, name_key);

create sequence reaction_id;

create table reaction (
  realm_id bigint not null,
  message_id bigint not null,
  user_id bigint not null,
  -- The namespace of emoji_code: Unicode, the organization's own or the extra emoji.
  reaction_type text not null,
  emoji_code text not null,
  emoji_name text not null,
  -- The order in which clients show them.
  id bigint not null default nextval('reaction_id'),
  primary key (realm_id, message_id, user_id, reaction_type, emoji_code)
);

create sequence submessage_id;

-- What widgets (polls, lists of tasks) are made of: the first tells what the message is, the others what was done with it.
create table submessage (
  realm_id bigint not null,
  message_id bigint not null,
  id bigint not null default nextval('submessage_id'),
  sender_id bigint not null,
  msg_type text not null,
  content text not null,
  primary key (realm_id, message_id, id)
);

-- Who takes part in a topic: its senders, each found by one step along the index.
create index message_of_sender_in_conversation on message (realm_id, conversation_id, sender_id);

-- Those whom a mention of the topic means: who had taken part in it by then. Empty: whoever received the message.
alter table message add column topic_participant_ids bigint[] not null default '{}';

-- When a bot's owner was last told that the bot writes where nobody reads.
create table bot_warning (
  realm_id bigint not null,
  bot_id bigint not null,
  warned_at timestamptz not null,
  primary key (realm_id, bot_id)
);
