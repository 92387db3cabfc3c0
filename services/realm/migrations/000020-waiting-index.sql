-- migrate: no-transaction
-- The last whose waiting period has ended. Partial, so that nothing takes it for a lookup by id that the primary key is better for.
create index concurrently if not exists user_account_waiting on user_account (realm_id, created_at) where role = 400;
