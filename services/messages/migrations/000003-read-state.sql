-- Read state without a row per message and user: the narrowest of these rules says what a user has read.
-- Everything up to that message.
create table read_watermark (
  realm_id bigint not null,
  user_id bigint not null,
  message_id bigint not null,
  primary key (realm_id, user_id)
) with (fillfactor = 80);

-- Everything in that channel up to that message.
create table channel_read_watermark (
  realm_id bigint not null,
  user_id bigint not null,
  channel_id bigint not null,
  message_id bigint not null,
  primary key (realm_id, user_id, channel_id)
) with (fillfactor = 80);

-- Moves and read receipts ask who has one.
create index channel_read_watermark_of_channel on channel_read_watermark (realm_id, channel_id);

-- What the watermarks are wrong about in one topic or direct conversation: ranges of message ids.
create table read_exception (
  realm_id bigint not null,
  user_id bigint not null,
  conversation_id bigint not null,
  read int8multirange not null default '{}',
  -- Marked by hand. No id is both read and unread.
  unread int8multirange not null default '{}',
  -- Moved here from where they were not read: the watermarks do not speak of them.
  unpassed int8multirange not null default '{}',
  primary key (realm_id, user_id, conversation_id)
) with (fillfactor = 70);

create index read_exception_of_conversation on read_exception (realm_id, conversation_id);
-- Few conversations have any of these.
create index read_exception_unread on read_exception (realm_id, user_id) where unread <> '{}';
create index read_exception_unpassed on read_exception (realm_id, user_id) where unpassed <> '{}';

-- What a user has set on a message, only where it is set.
create table personal_flag (
  realm_id bigint not null,
  user_id bigint not null,
  message_id bigint not null,
  is_starred boolean not null default false,
  is_collapsed boolean not null default false,
  -- The user did not receive the message: they starred it, or reacted, when they saw it later. Stays when the star goes.
  is_historical boolean not null default false,
  primary key (realm_id, user_id, message_id)
) with (fillfactor = 80);

create index personal_flag_starred on personal_flag (realm_id, user_id, message_id) where is_starred;
create index personal_flag_of_message on personal_flag (realm_id, message_id);

-- Unread messages are found from an index alone: it holds what says who received them and for whom they began as read.
drop index message_of_conversation;
create index message_of_conversation on message (realm_id, conversation_id, id desc)
  include (sender_id, sent_channel_id, sent_version, is_read_by_sender, read_by_ids);

-- Where in a channel a subscription begins.
create index message_of_version on message (realm_id, sent_channel_id, sent_version, id) where sent_channel_id is not null;

create index message_of_other_channel on message (realm_id, channel_id, id) where sent_channel_id <> channel_id;
