import { type Sql, statement, type Transaction } from '@parley/shared/db';
import { topicKey } from '@parley/shared/values';

/** What a user has decided about a topic: 1 muted, 2 unmuted, 3 followed. */
export interface TopicPolicyRow {
  channelId: number;
  topic: string;
  policy: number;
  updatedAtMs: number;
  /** Clients have it: not while its channel is closed to the user. */
  isShown: boolean;
}

const LIST = statement(
  'list-topic-policies',
  `select channel_id as "channelId", name as topic, policy, updated_at as "updatedAtMs", is_shown as "isShown"
   from topic_policy where realm_id = $1 and user_id = $2 order by channel_id, name_key`,
);

export function listTopicPoliciesOf(sql: Sql, realmId: number, userId: number): Promise<TopicPolicyRow[]> {
  return sql.query(LIST, [realmId, userId]);
}

const MARK_SHOWN = statement(
  'mark-policies-shown',
  `with changing as (
     select p.channel_id, p.name_key, c.is_shown
     from topic_policy p join unnest($3::bigint[], $4::boolean[]) as c (id, is_shown) on c.id = p.channel_id
     where p.realm_id = $1 and p.user_id = $2 and p.is_shown <> c.is_shown
     order by p.channel_id, p.name_key for update of p
   )
   update topic_policy p set is_shown = c.is_shown from changing c
   where p.realm_id = $1 and p.user_id = $2 and p.channel_id = c.channel_id and p.name_key = c.name_key
   returning p.channel_id as "channelId", p.name as topic, p.policy, p.updated_at as "updatedAtMs", p.is_shown as "isShown"`,
);

/** Notes whether clients have what the user has decided about topics of the channels; answers those that it is a change for. */
export function markPoliciesShown(
  tx: Transaction,
  realmId: number,
  userId: number,
  channels: readonly { channelId: number; isShown: boolean }[],
): Promise<TopicPolicyRow[]> {
  const ids = channels.map(({ channelId }) => channelId);
  return tx.query(MARK_SHOWN, [realmId, userId, ids, channels.map(({ isShown }) => isShown)]);
}

interface TopicOfUser {
  realmId: number;
  userId: number;
  channelId: number;
  topic: string;
}

interface HeldPolicy {
  /** 0: none. */
  policy: number;
  isShown: boolean;
}

/** The present policy, which nobody else changes until the transaction ends. */
export async function lockTopicPolicy(tx: Transaction, of: TopicOfUser): Promise<HeldPolicy> {
  // NOTE: there may be no row to lock yet; the advisory lock is on the user, of whom two clients seldom decide at once.
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('topic policies ' || $1 || ' ' || $2, 0))`, [
    String(of.realmId),
    String(of.userId),
  ]);
  const [row] = await tx.query<HeldPolicy>(
    `select policy, is_shown as "isShown" from topic_policy
     where realm_id = $1 and user_id = $2 and channel_id = $3 and name_key = $4 for update`,
    [of.realmId, of.userId, of.channelId, topicKey(of.topic)],
  );
  return row ?? { policy: 0, isShown: true };
}

/** 0 forgets the policy; any other is shown. */
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
     do update set name = excluded.name, policy = excluded.policy, updated_at = excluded.updated_at, is_shown = true`,
    [...key, topic, policy, nowMs],
  );
}
