-- migrate: no-transaction
-- Everybody's bots. By id, so that nothing takes it for a lookup by id that the primary key is better for.
create index concurrently if not exists user_account_bots on user_account (realm_id, id) where bot_owner_id is not null;
