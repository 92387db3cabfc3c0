import { type Sql, statement, type Transaction } from '@parley/shared/db';
import { topicKey } from '@parley/shared/values';
import { z } from 'zod';

export interface TopicAt {
  channelId: number;
  topic: string;
}

const REPLACE_POLICIES = statement(`with left_behind as (
     delete from topic_policy where realm_id = $1 and channel_id = $2 and name_key = $3
   ), given as (
     select user_id, policy, is_shown from unnest($7::bigint[], $8::smallint[], $10::boolean[]) as g (user_id, policy, is_shown)
   ), forgotten as (
     delete from topic_policy p using given g
     where p.realm_id = $1 and p.channel_id = $4 and p.name_key = $5 and p.user_id = g.user_id and g.policy = 0
   )
   insert into topic_policy as kept (realm_id, user_id, channel_id, name_key, name, policy, updated_at, is_shown)
   select $1, user_id, $4, $5, $6, policy, to_timestamp($9 / 1000.0), is_shown from given where policy <> 0 order by user_id
   on conflict (realm_id, user_id, channel_id, name_key)
   do update set name = excluded.name, policy = excluded.policy, updated_at = excluded.updated_at, is_shown = excluded.is_shown
   where kept.policy <> excluded.policy or kept.is_shown <> excluded.is_shown`);

/** Deletes all policies for the source topic, and stores these for the target, where 0 deletes one. */
export async function replacePolicies(
  tx: Transaction,
  realmId: number,
  from: TopicAt,
  to: TopicAt,
  policies: readonly { userId: number; policy: number; isShown: boolean }[],
  nowMs: number,
): Promise<void> {
  await tx.query(REPLACE_POLICIES, [
    realmId,
    from.channelId,
    topicKey(from.topic),
    to.channelId,
    topicKey(to.topic),
    to.topic,
    policies.map(({ userId }) => userId),
    policies.map(({ policy }) => policy),
    nowMs,
    policies.map(({ isShown }) => isShown),
  ]);
}

const LIST_HOLDERS = statement(
  'select user_id as "userId" from topic_policy where realm_id = $1 and channel_id = $2 and name_key = $3 order by 1',
  { userId: z.number() },
);

/** Users with a policy for the topic. */
export async function listPolicyHolders(
  sql: Sql,
  realmId: number,
  channelId: number,
  nameKey: string,
): Promise<number[]> {
  const rows = await sql.query(LIST_HOLDERS, [realmId, channelId, nameKey]);
  return rows.map(({ userId }) => userId);
}
