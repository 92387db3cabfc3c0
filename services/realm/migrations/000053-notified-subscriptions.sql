-- migrate: no-transaction
-- For each message, the people who may have to be notified of it are looked up: few of many subscribers want mails or pushes about a whole channel.
create index concurrently if not exists subscription_notified on subscription (realm_id, channel_id, user_id)
  where email_notifications or push_notifications;
