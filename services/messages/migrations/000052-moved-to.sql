-- migrate: no-transaction
-- Messages that are in another channel than they were sent to, by the one they are in. The condition is one whose frequency PostgreSQL knows: two
-- different columns (message_of_other_channel) it takes to be unequal nearly always, and reads all messages where there are few channels.
create index concurrently if not exists message_moved_to on message (realm_id, channel_id, id) where moved_version is not null;
