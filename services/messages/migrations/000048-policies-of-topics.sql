-- migrate: no-transaction
-- Also for one person's policy for a topic that thousands follow: the planner takes the policies of a topic for few.
create index concurrently if not exists topic_policy_of_topic_by_user on topic_policy (realm_id, channel_id, name_key, user_id);
