-- migrate: no-transaction
-- Whether an address has accounts in several organizations.
create index concurrently if not exists user_account_of_address on user_account (lower(delivery_email)) where is_active and not is_bot;
