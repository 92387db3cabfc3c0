-- For each message, the people who may have to be notified of it are looked up: few of many subscribers want mails or pushes about a whole channel.
create index subscription_notified on subscription (realm_id, channel_id, user_id) where email_notifications or push_notifications;
create index user_settings_notified on user_settings (realm_id, user_id)
  where chosen @> '{"enable_stream_email_notifications": true}' or chosen @> '{"enable_stream_push_notifications": true}';

-- The scheduler keeps the alert words of an organization by the number of their changes.
create trigger count_words_insert after insert on alert_word referencing new table as changed
  for each statement execute function count_list_change('alert_words');
create trigger count_words_update after update on alert_word referencing new table as changed
  for each statement execute function count_list_change('alert_words');
create trigger count_words_delete after delete on alert_word referencing old table as changed
  for each statement execute function count_list_change('alert_words');
