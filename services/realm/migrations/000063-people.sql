-- migrate: no-transaction
-- People are counted, and passed over page by page, without reading their accounts.
create index concurrently if not exists user_account_people on user_account (realm_id, id) where not is_bot;
