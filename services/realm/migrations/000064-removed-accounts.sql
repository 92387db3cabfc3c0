-- migrate: no-transaction
create index concurrently if not exists scim_user_removed on scim_user (realm_id, user_id) where is_removed;
