-- Only the primary key begins with realm_id: the planner, while it has no statistics, takes any index that does for a lookup by
-- id, and filters a whole organization for one user.

drop index user_account_delivery_email_is_unique;
drop index user_account_email_is_unique;
drop index user_account_by_name;

create unique index user_account_delivery_email_is_unique on user_account (lower(delivery_email), realm_id);
create unique index user_account_email_is_unique on user_account (lower(email), realm_id);
create index user_account_by_name on user_account (full_name_key, realm_id);
