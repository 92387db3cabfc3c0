-- Every organization has bots that belong to the service itself: nobody owns them, and they have neither keys nor passwords.
alter table user_account
  add column system_bot text check (system_bot in ('notification-bot', 'welcome-bot')),
  drop constraint user_account_check1,
  add constraint user_account_bot_has_owner check ((is_bot and system_bot is null) = (bot_owner_id is not null)),
  add constraint user_account_system_bot_is_bot check (system_bot is null or is_bot);

create unique index user_account_system_bot_is_unique on user_account (system_bot, realm_id) where system_bot is not null;

-- The service gives them the names of its settings whenever it starts.
insert into user_account (realm_id, delivery_email, email, full_name, full_name_key, role, is_bot, bot_type, system_bot, created_at)
select r.id, bot.name || '@system.invalid', bot.name || '@system.invalid', bot.full_name, lower(bot.full_name), 400, true, 1,
  bot.name, r.created_at
from realm r
cross join (values ('notification-bot', 'Notification Bot'), ('welcome-bot', 'Welcome Bot')) as bot (name, full_name);
