-- migrate: no-transaction
-- Messages that are in another channel than they were sent to, by the one they are in. Of this condition PostgreSQL knows how many messages meet it; that
-- two columns differ (message_of_other_channel) it takes to be usual, and reads all messages where there are few channels.
create index concurrently if not exists message_moved_to on message (realm_id, channel_id, id) where moved_version >= 0;
