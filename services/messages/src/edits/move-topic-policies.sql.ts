import type { Transaction } from '@parley/shared/db';
import { topicKey } from '@parley/shared/values';

export interface TopicAt {
  channelId: number;
  topic: string;
}

export interface PolicyPair {
  userId: number;
  /** 0: none. */
  from: number;
  to: number;
}

/** What everybody who has decided about the first topic has decided about both; nobody else changes that until the transaction ends. */
export async function holdPolicyPairs(
  tx: Transaction,
  realmId: number,
  from: TopicAt,
  to: TopicAt,
): Promise<PolicyPair[]> {
  return tx.query(
    `with held as (
       select user_id, channel_id, name_key, policy from topic_policy
       where realm_id = $1 and (channel_id, name_key) in (($2::bigint, $3::text), ($4::bigint, $5::text))
       order by user_id, channel_id, name_key for update
     )
     select f.user_id as "userId", f.policy as "from", coalesce(t.policy, 0) as "to"
     from held f left join held t on t.user_id = f.user_id and t.channel_id = $4 and t.name_key = $5
     where f.channel_id = $2 and f.name_key = $3 order by f.user_id`,
    [realmId, from.channelId, topicKey(from.topic), to.channelId, topicKey(to.topic)],
  );
}

export async function deletePolicies(tx: Transaction, realmId: number, { channelId, topic }: TopicAt): Promise<void> {
  await tx.query('delete from topic_policy where realm_id = $1 and channel_id = $2 and name_key = $3', [
    realmId,
    channelId,
    topicKey(topic),
  ]);
}

/** Users' policies for a topic; 0 forgets one. */
export async function storePolicies(
  tx: Transaction,
  realmId: number,
  { channelId, topic }: TopicAt,
  policies: readonly { userId: number; policy: number }[],
  nowMs: number,
): Promise<void> {
  await tx.query(
    `with given as (
       select user_id, policy from unnest($5::bigint[], $6::smallint[]) as g (user_id, policy)
     ), forgotten as (
       delete from topic_policy p using given g
       where p.realm_id = $1 and p.channel_id = $2 and p.name_key = $3 and p.user_id = g.user_id and g.policy = 0
     )
     insert into topic_policy (realm_id, user_id, channel_id, name_key, name, policy, updated_at)
     select $1, user_id, $2, $3, $4, policy, to_timestamp($7 / 1000.0) from given where policy <> 0 order by user_id
     on conflict (realm_id, user_id, channel_id, name_key)
     do update set name = excluded.name, policy = excluded.policy, updated_at = excluded.updated_at`,
    [
      realmId,
      channelId,
      topicKey(topic),
      topic,
      policies.map(({ userId }) => userId),
      policies.map(({ policy }) => policy),
      nowMs,
    ],
  );
}
