-- migrate: no-transaction
-- Whether anybody shows their address to those of a role.
create index concurrently if not exists user_account_by_visibility on user_account (realm_id, email_address_visibility) where not is_bot;
