-- migrate: no-transaction
-- The accounts with other roles than most: who administers an organization, and its guests, are found without reading its members.
create index concurrently if not exists user_account_of_role on user_account (realm_id, role, id) where role <> 400;
