import { type RowOf, type Sql, statement, type Transaction } from '@parley/shared/db';
import { topicKey } from '@parley/shared/values';
import { z } from 'zod';

/** A user's policy for a topic: 1 muted, 2 unmuted, 3 followed. */
const TOPIC_POLICY_ROW = {
  channelId: z.number(),
  topic: z.string(),
  policy: z.number(),
  updatedAtMs: z.number(),
  /** Clients have it: false while the user may not read its channel. */
  isShown: z.boolean(),
};

export type TopicPolicyRow = z.infer<z.ZodObject<typeof TOPIC_POLICY_ROW>>;

/** The shape of topicPoliciesOf(). */
export const TOPIC_POLICIES = z.array(z.strictObject(TOPIC_POLICY_ROW));

/** SQL for a user's policies as a list in JSON. The arguments are SQL. */
export function topicPoliciesOf(realmId: string, userId: string): string {
  return `(select coalesce(json_agg(json_build_object('channelId', p.channel_id, 'topic', p.name, 'policy', p.policy,
      'updatedAtMs', (extract(epoch from p.updated_at) * 1000)::bigint, 'isShown', p.is_shown)
      order by p.channel_id, p.name_key), '[]')
    from topic_policy p where p.realm_id = ${realmId} and p.user_id = ${userId})`;
}

const LIST_TOPIC_POLICIES = statement(
  `select channel_id as "channelId", name as topic, policy, updated_at as "updatedAtMs", is_shown as "isShown"
   from topic_policy where realm_id = $1 and user_id = $2 order by channel_id, name_key`,
  TOPIC_POLICY_ROW,
);

export function listTopicPoliciesOf(sql: Sql, realmId: number, userId: number): Promise<TopicPolicyRow[]> {
  return sql.query(LIST_TOPIC_POLICIES, [realmId, userId]);
}

const MARK_SHOWN = statement(
  `with changing as (
     select p.user_id, p.channel_id, p.name_key, wanted.is_shown
     from unnest($2::bigint[], $3::bigint[], $4::boolean[]) as wanted (user_id, channel_id, is_shown)
     join topic_policy p on p.realm_id = $1 and p.user_id = wanted.user_id and p.channel_id = wanted.channel_id
     where p.is_shown <> wanted.is_shown
     order by p.user_id, p.channel_id, p.name_key for update of p
   )
   update topic_policy p set is_shown = c.is_shown from changing c
   where p.realm_id = $1 and p.user_id = c.user_id and p.channel_id = c.channel_id and p.name_key = c.name_key
   returning p.user_id as "userId", p.channel_id as "channelId", p.name as topic, p.policy, p.updated_at as "updatedAtMs",
     p.is_shown as "isShown"`,
  { userId: z.number(), ...TOPIC_POLICY_ROW },
);

interface ChannelShown {
  userId: number;
  channelId: number;
  isShown: boolean;
}

/** Stores whether clients have the users' policies for topics of the channels; returns the changed ones. */
export function markPoliciesShown(
  tx: Transaction,
  realmId: number,
  channels: readonly ChannelShown[],
): Promise<RowOf<typeof MARK_SHOWN>[]> {
  return tx.query(MARK_SHOWN, [
    realmId,
    channels.map(({ userId }) => userId),
    channels.map(({ channelId }) => channelId),
    channels.map(({ isShown }) => isShown),
  ]);
}

interface TopicOfUser {
  realmId: number;
  userId: number;
  channelId: number;
  topic: string;
}

const LOCK_POLICIES_OF_USER = statement(
  `select pg_advisory_xact_lock(hashtextextended('topic policies ' || $1 || ' ' || $2, 0)) as locked`,
  { locked: z.literal('') },
);

const FIND_OWN_POLICY = statement(
  `select policy, is_shown as "isShown" from topic_policy
   where realm_id = $1 and user_id = $2 and channel_id = $3 and name_key = $4 for update`,
  {
    /** 0: none. */
    policy: z.number(),
    isShown: z.boolean(),
  },
);

/** The current policy, locked until the transaction ends. */
export async function lockTopicPolicy(tx: Transaction, of: TopicOfUser) {
  // NOTE: there may be no row to lock yet. The advisory lock is per user, whose clients rarely change policies concurrently.
  await tx.query(LOCK_POLICIES_OF_USER, [String(of.realmId), String(of.userId)]);
  const [row] = await tx.query(FIND_OWN_POLICY, [of.realmId, of.userId, of.channelId, topicKey(of.topic)]);
  return row ?? { policy: 0, isShown: true };
}

const FORGET_TOPIC_POLICY = statement(
  'delete from topic_policy where realm_id = $1 and user_id = $2 and channel_id = $3 and name_key = $4',
);

const STORE_TOPIC_POLICY =
  statement(`insert into topic_policy (realm_id, user_id, channel_id, name_key, name, policy, updated_at)
   values ($1, $2, $3, $4, $5, $6, to_timestamp($7 / 1000.0))
   on conflict (realm_id, user_id, channel_id, name_key)
   do update set name = excluded.name, policy = excluded.policy, updated_at = excluded.updated_at, is_shown = true`);

/** 0 deletes the policy; any other is shown. */
export async function storeTopicPolicy(
  tx: Transaction,
  { realmId, userId, channelId, topic }: TopicOfUser,
  policy: number,
  nowMs: number,
): Promise<void> {
  const key = [realmId, userId, channelId, topicKey(topic)];
  if (policy === 0) {
    await tx.query(FORGET_TOPIC_POLICY, key);
    return;
  }
  await tx.query(STORE_TOPIC_POLICY, [...key, topic, policy, nowMs]);
}

const LIST_OF_TOPICS = statement(
  `select asked.n, array_agg(p.user_id order by p.user_id) as "userIds", array_agg(p.policy::int order by p.user_id) as policies
   from unnest($1::bigint[], $2::bigint[], $3::text[]) with ordinality as asked (realm_id, channel_id, name_key, n)
   join topic_policy p on p.realm_id = asked.realm_id and p.channel_id = asked.channel_id and p.name_key = asked.name_key
   where p.is_shown group by asked.n`,
  { n: z.number(), userIds: z.array(z.number()), policies: z.array(z.number()) },
);

/** The users with a shown policy for each of the topics, which are counted from 1 on; topics without any are left out. */
export function listPoliciesOfTopics(
  sql: Sql,
  topics: readonly { realmId: number; channelId: number; topic: string }[],
): Promise<RowOf<typeof LIST_OF_TOPICS>[]> {
  return sql.query(LIST_OF_TOPICS, [
    topics.map(({ realmId }) => realmId),
    topics.map(({ channelId }) => channelId),
    topics.map(({ topic }) => topicKey(topic)),
  ]);
}
