-- migrate: no-transaction
-- Of a channel's subscribers, few want the notices of resolved topics to be read, or unread, at once.
create index concurrently if not exists user_settings_resolving on user_settings (realm_id, user_id)
  where chosen @> '{"resolved_topic_notice_auto_read_policy": "always"}' or chosen @> '{"resolved_topic_notice_auto_read_policy": "never"}';
