-- migrate: no-transaction
-- The members of a group are listed without those whose accounts have ended.
create index concurrently if not exists user_account_ended on user_account (realm_id, id) where not is_active;
