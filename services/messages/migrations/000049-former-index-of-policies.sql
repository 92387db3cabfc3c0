-- migrate: no-transaction
-- topic_policy_of_topic_by_user has the same columns, and one more.
drop index concurrently if exists topic_policy_of_topic;
