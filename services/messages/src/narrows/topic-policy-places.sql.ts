import { type Sql, statement } from '@parley/shared/db';

/** A topic with messages, and what a user has decided about it: 1 muted, 2 unmuted, 3 followed. */
export interface TopicPolicyPlace {
  id: number;
  channelId: number;
  policy: number;
}

const LIST = statement(
  'list-topic-policy-places',
  `select t.id, t.channel_id as "channelId", p.policy
   from topic_policy p
   join topic t on t.realm_id = p.realm_id and t.channel_id = p.channel_id and t.name_key = p.name_key
   where p.realm_id = $1 and p.user_id = $2`,
);

export function listTopicPolicyPlaces(sql: Sql, realmId: number, userId: number): Promise<TopicPolicyPlace[]> {
  return sql.query(LIST, [realmId, userId]);
}
