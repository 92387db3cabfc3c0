-- migrate: no-transaction
-- To erase the copies of one person's deleted messages; after a first run of retention there may be millions of others.
create index concurrently if not exists archived_message_of_sender
  on archived_message (realm_id, ((content #>> '{message,sender_id}')::bigint));
