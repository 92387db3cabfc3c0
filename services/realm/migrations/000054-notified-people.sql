-- migrate: no-transaction
-- The same for people who want mails or pushes about all of their channels.
create index concurrently if not exists user_settings_notified on user_settings (realm_id, user_id)
  where chosen @> '{"enable_stream_email_notifications": true}' or chosen @> '{"enable_stream_push_notifications": true}';
