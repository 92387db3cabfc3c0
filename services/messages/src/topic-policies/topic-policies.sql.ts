import { type Sql, statement, type Transaction } from '@parley/shared/db';
import { topicKey } from '@parley/shared/values';

/** What a user has decided about a topic: 1 muted, 2 unmuted, 3 followed. */
export interface TopicPolicyRow {
  channelId: number;
  topic: string;
  policy: number;
  updatedAtMs: number;
}

const LIST = statement(
  'list-topic-policies',
  `select channel_id as "channelId", name as topic, policy, updated_at as "updatedAtMs"
   from topic_policy where realm_id = $1 and user_id = $2 order by channel_id, name_key`,
);

export function listTopicPoliciesOf(sql: Sql, realmId: number, userId: number): Promise<TopicPolicyRow[]> {
  return sql.query(LIST, [realmId, userId]);
}

const LIST_IN = statement(
  'list-topic-policies-in-channels',
  `select user_id as "userId", channel_id as "channelId", name as topic, policy, updated_at as "updatedAtMs"
   from topic_policy where realm_id = $1 and user_id = any($3::bigint[]) and channel_id = any($2::bigint[])
   order by user_id, channel_id, name_key`,
);

/** What the users have decided about topics of the channels, by user. */
export async function listTopicPoliciesIn(
  sql: Sql,
  realmId: number,
  channelIds: readonly number[],
  userIds: readonly number[],
): Promise<ReadonlyMap<number, TopicPolicyRow[]>> {
  const rows = await sql.query<TopicPolicyRow & { userId: number }>(LIST_IN, [realmId, channelIds, userIds]);
  const policies = new Map<number, TopicPolicyRow[]>();
  for (const { userId, ...policy } of rows) policies.set(userId, [...(policies.get(userId) ?? []), policy]);
  return policies;
}

export interface TopicOfUser {
  realmId: number;
  userId: number;
  channelId: number;
  topic: string;
}

/** The present policy, 0 for none, which nobody else changes until the transaction ends. */
export async function lockTopicPolicy(tx: Transaction, of: TopicOfUser): Promise<number> {
  // NOTE: there may be no row to lock yet; the advisory lock is on the user, of whom two clients seldom decide at once.
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('topic policies ' || $1 || ' ' || $2, 0))`, [
    String(of.realmId),
    String(of.userId),
  ]);
  const [row] = await tx.query<{ policy: number }>(
    `select policy from topic_policy where realm_id = $1 and user_id = $2 and channel_id = $3 and name_key = $4 for update`,
    [of.realmId, of.userId, of.channelId, topicKey(of.topic)],
  );
  return row?.policy ?? 0;
}

/** 0 forgets the policy. */
export async function storeTopicPolicy(
  tx: Transaction,
  { realmId, userId, channelId, topic }: TopicOfUser,
  policy: number,
  nowMs: number,
): Promise<void> {
  const key = [realmId, userId, channelId, topicKey(topic)];
  if (policy === 0) {
    const forget =
      'delete from topic_policy where realm_id = $1 and user_id = $2 and channel_id = $3 and name_key = $4';
    await tx.query(forget, key);
    return;
  }
  await tx.query(
    `insert into topic_policy (realm_id, user_id, channel_id, name_key, name, policy, updated_at)
     values ($1, $2, $3, $4, $5, $6, to_timestamp($7 / 1000.0))
     on conflict (realm_id, user_id, channel_id, name_key)
     do update set name = excluded.name, policy = excluded.policy, updated_at = excluded.updated_at`,
    [...key, topic, policy, nowMs],
  );
}
