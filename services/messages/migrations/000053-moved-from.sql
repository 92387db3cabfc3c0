-- migrate: no-transaction
-- The same by the channel that they were sent to. The condition is another one, so that neither index is taken for the other.
-- The former indexes, message_of_other_channel and message_moved, serve the version before this one.
create index concurrently if not exists message_moved_from on message (realm_id, sent_channel_id, id desc)
  where moved_version < 9223372036854775807;
