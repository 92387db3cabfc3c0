import { onlyRow, type RowOf, type Sql, statement, type Transaction } from '@parley/shared/db';
import { type Message, messageShape, type WebhookDelivery } from '@parley/shared/proto';
import { z } from 'zod';

const LOCK_BOTS = statement(
  `insert into webhook_bot (realm_id, bot_id) select $1, id from unnest($2::bigint[]) id order by id
   on conflict (realm_id, bot_id) do update set bot_id = excluded.bot_id`,
);

/** Locks the bots until the transaction ends, so that none of their calls begins or ends. */
export async function lockBots(tx: Transaction, realmId: number, botIds: readonly number[]): Promise<void> {
  await tx.query(LOCK_BOTS, [realmId, botIds]);
}

export interface NewDelivery {
  botId: number;
  message: Message;
  messageHref: string;
}

const INSERT = statement(
  `insert into webhook_delivery (realm_id, bot_id, message_id, message, message_href, state)
   values ($1, $2, $3, $4, $5, 'waiting') on conflict (realm_id, message_id, bot_id) do nothing`,
);

/** One delivery for each bot and message: an existing one is left alone. */
export async function insertDelivery(tx: Transaction, realmId: number, delivery: NewDelivery): Promise<void> {
  const { botId, message, messageHref } = delivery;
  await tx.query(INSERT, [realmId, botId, message.id, JSON.stringify(message), messageHref]);
}

const TAKE_WAITING = statement(
  `update webhook_delivery set state = 'under_way' where realm_id = $1 and id in (
     select id from webhook_delivery where realm_id = $1 and bot_id = $2 and state = 'waiting' order by id
     limit greatest(0, $3 - (
       select count(*) from webhook_delivery where realm_id = $1 and bot_id = $2 and state = 'under_way')))
   returning id`,
  { id: z.number() },
);

/** Takes the bot's oldest waiting deliveries up to the limit; returns their ids. The bot is locked. */
export async function takeWaiting(tx: Transaction, realmId: number, botId: number, room: number): Promise<number[]> {
  const rows = await tx.query(TAKE_WAITING, [realmId, botId, room]);
  return rows.map(({ id }) => id);
}

const CONCLUSION = z.strictObject({
  /** The bot's Markdown reply in the conversation. */
  reply: z.strictObject({ content: z.string(), widgetContent: z.string().exactOptional() }).nullable(),
  /** The notice to the bot's owner. */
  toOwner: z.string().nullable(),
  /** The reason of the failure, for the operator; null: no failure. */
  failure: z.string().nullable(),
});

/** The result of a call. */
export type Conclusion = z.infer<typeof CONCLUSION>;
export type Reply = NonNullable<Conclusion['reply']>;

const FIND = statement(
  `select realm_id as "realmId", id, bot_id as "botId", message, message_href as "messageHref", replays, conclusion
   from webhook_delivery where realm_id = $1 and id = $2 and state = 'under_way'`,
  {
    realmId: z.number(),
    id: z.number(),
    botId: z.number(),
    message: messageShape<Message>('messages', 'Message'),
    messageHref: z.string(),
    replays: z.number(),
    conclusion: CONCLUSION.nullable(),
  },
);

/** A delivery under way. */
export type Delivery = RowOf<typeof FIND>;
type DeliveryKey = Pick<Delivery, 'realmId' | 'id'>;

/** Null: not running. */
export async function findDelivery(sql: Sql, { realmId, id }: DeliveryKey): Promise<Delivery | null> {
  const [row] = await sql.query(FIND, [realmId, id]);
  return row ?? null;
}

const COUNT_CALL = statement(
  'update webhook_delivery set calls = calls + 1 where realm_id = $1 and id = $2 returning calls',
  { calls: z.number() },
);

/** Counts a call of the bot before it starts; returns its number. */
export async function countCall(sql: Sql, { realmId, id }: DeliveryKey): Promise<number> {
  const [row] = await sql.query(COUNT_CALL, [realmId, id]);
  return row?.calls ?? 0;
}

const STORE_CONCLUSION = statement(
  'update webhook_delivery set conclusion = coalesce(conclusion, $3) where realm_id = $1 and id = $2 returning conclusion',
  { conclusion: CONCLUSION },
);

/** Returns the conclusion that counts: an earlier one of another replica wins. */
export async function storeConclusion(
  sql: Sql,
  { realmId, id }: DeliveryKey,
  conclusion: Conclusion,
): Promise<Conclusion> {
  const [row] = await sql.query(STORE_CONCLUSION, [realmId, id, JSON.stringify(conclusion)]);
  return row?.conclusion ?? conclusion;
}

const MARK_DONE = statement(
  `update webhook_delivery set state = 'done', message = null, conclusion = null, ended_at = to_timestamp($3::bigint / 1000.0)
   where realm_id = $1 and id = $2`,
);

export async function markDone(tx: Transaction, { realmId, id }: DeliveryKey, nowMs: number): Promise<void> {
  await tx.query(MARK_DONE, [realmId, id, nowMs]);
}

const MARK_DEAD = statement(
  `update webhook_delivery set state = 'dead', ended_at = to_timestamp($3::bigint / 1000.0) where realm_id = $1 and id = $2`,
);

export async function markDead(tx: Transaction, { realmId, id }: DeliveryKey, nowMs: number): Promise<void> {
  await tx.query(MARK_DEAD, [realmId, id, nowMs]);
}

const DELETE_ENDED = statement(
  `delete from webhook_delivery where realm_id = $1 and id = $2 and state in ('done', 'dead')`,
);

export async function deleteEnded(tx: Transaction, { realmId, id }: DeliveryKey): Promise<void> {
  await tx.query(DELETE_ENDED, [realmId, id]);
}

const LIST_DEAD = statement(
  `select id, bot_id as "botId", message_id as "messageId", calls, conclusion ->> 'failure' as failure, ended_at as "endedAtMs"
   from webhook_delivery where realm_id = $1 and state = 'dead' order by id desc limit $2`,
  {
    id: z.number(),
    botId: z.number(),
    messageId: z.number(),
    calls: z.number(),
    failure: z.string(),
    endedAtMs: z.number(),
  },
);

/** Failed deliveries, newest first. */
export function selectDead(sql: Sql, realmId: number, limit: number): Promise<WebhookDelivery[]> {
  return sql.query(LIST_DEAD, [realmId, limit]);
}

const LIST_BOTS_OF_DEAD = statement(
  `select distinct bot_id as "botId" from webhook_delivery
   where realm_id = $1 and state = 'dead' and ($2::bigint is null or id = $2)`,
  { botId: z.number() },
);

/** The bots of one failed delivery, or of all. */
export async function selectBotsOfDead(sql: Sql, realmId: number, id: number | null): Promise<number[]> {
  const rows = await sql.query(LIST_BOTS_OF_DEAD, [realmId, id]);
  return rows.map(({ botId }) => botId);
}

const REVIVE = statement(
  `with revived as (
     update webhook_delivery set state = 'waiting', calls = 0, replays = replays + 1, conclusion = null, ended_at = null
     where realm_id = $1 and state = 'dead' and bot_id = any($2::bigint[]) and ($3::bigint is null or id = $3) returning id
   ) select count(*) as count from revived`,
  { count: z.number() },
);

/** Restarts one failed delivery of these locked bots, or all; returns their number. */
export async function revive(
  tx: Transaction,
  realmId: number,
  botIds: readonly number[],
  id: number | null,
): Promise<number> {
  return onlyRow(await tx.query(REVIVE, [realmId, botIds, id])).count;
}

const COUNT_BY_STATE = statement(
  `select 'waiting' as state, count(*) as count from webhook_delivery where state = 'waiting'
   union all select 'under_way', count(*) from webhook_delivery where state = 'under_way'
   union all select 'dead', count(*) from webhook_delivery where state = 'dead'`,
  { state: z.string(), count: z.number() },
);

/** For metrics: deliveries by state, except done. */
export function countDeliveries(sql: Sql): Promise<{ state: string; count: number }[]> {
  return sql.query(COUNT_BY_STATE);
}
