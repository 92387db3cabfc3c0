import { type Sql, statement, type Transaction } from '@parley/shared/db';
import type { Message, WebhookDelivery } from '@parley/shared/proto';
import type { Conclusion, Delivery } from './delivery';

type DeliveryKey = Pick<Delivery, 'realmId' | 'id'>;

/** Nobody else begins or ends calls of these bots until the transaction ends. */
export async function lockBots(tx: Transaction, realmId: number, botIds: readonly number[]): Promise<void> {
  await tx.query(LOCK_BOTS, [realmId, botIds]);
}

const LOCK_BOTS = statement(
  'lock-webhook-bots',
  `insert into webhook_bot (realm_id, bot_id) select $1, id from unnest($2::bigint[]) id order by id
   on conflict (realm_id, bot_id) do update set bot_id = excluded.bot_id`,
);

export interface NewDelivery {
  botId: number;
  message: Message;
  messageHref: string;
}

/** A bot is told of a message once: what is there already is left alone. */
export async function insertDelivery(tx: Transaction, realmId: number, delivery: NewDelivery): Promise<void> {
  const { botId, message, messageHref } = delivery;
  await tx.query(
    `insert into webhook_delivery (realm_id, bot_id, message_id, message, message_href, state)
     values ($1, $2, $3, $4, $5, 'waiting') on conflict (realm_id, message_id, bot_id) do nothing`,
    [realmId, botId, message.id, JSON.stringify(message), messageHref],
  );
}

/** Takes those of a bot's deliveries that have waited longest, as far as there is room; answers which. The bot is locked. */
export async function takeWaiting(tx: Transaction, realmId: number, botId: number, room: number): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(TAKE_WAITING, [realmId, botId, room]);
  return rows.map(({ id }) => id);
}

const TAKE_WAITING = statement(
  'take-waiting-webhook-deliveries',
  `update webhook_delivery set state = 'under_way' where realm_id = $1 and id in (
     select id from webhook_delivery where realm_id = $1 and bot_id = $2 and state = 'waiting' order by id
     limit greatest(0, $3 - (
       select count(*) from webhook_delivery where realm_id = $1 and bot_id = $2 and state = 'under_way')))
   returning id`,
);

const FIND = statement(
  'find-webhook-delivery',
  `select realm_id as "realmId", id, bot_id as "botId", message, message_href as "messageHref", state, replays, conclusion
   from webhook_delivery where realm_id = $1 and id = $2`,
);

export async function findDelivery(sql: Sql, { realmId, id }: DeliveryKey): Promise<Delivery | null> {
  const [row] = await sql.query<Delivery>(FIND, [realmId, id]);
  return row ?? null;
}

const COUNT_CALL = statement(
  'count-webhook-call',
  'update webhook_delivery set calls = calls + 1 where realm_id = $1 and id = $2 returning calls',
);

/** The bot is about to be called; answers for which time. */
export async function countCall(sql: Sql, { realmId, id }: DeliveryKey): Promise<number> {
  const [row] = await sql.query<{ calls: number }>(COUNT_CALL, [realmId, id]);
  return row?.calls ?? 0;
}

const STORE_CONCLUSION = statement(
  'store-webhook-conclusion',
  'update webhook_delivery set conclusion = coalesce(conclusion, $3) where realm_id = $1 and id = $2 returning conclusion',
);

/** Answers what counts: what another replica has come to before. */
export async function storeConclusion(
  sql: Sql,
  { realmId, id }: DeliveryKey,
  conclusion: Conclusion,
): Promise<Conclusion> {
  const [row] = await sql.query<{ conclusion: Conclusion }>(STORE_CONCLUSION, [
    realmId,
    id,
    JSON.stringify(conclusion),
  ]);
  return row?.conclusion ?? conclusion;
}

const MARK_DONE = statement(
  'mark-webhook-delivery-done',
  `update webhook_delivery set state = 'done', message = null, conclusion = null, ended_at = to_timestamp($3::bigint / 1000.0)
   where realm_id = $1 and id = $2`,
);

export async function markDone(tx: Transaction, { realmId, id }: DeliveryKey, nowMs: number): Promise<void> {
  await tx.query(MARK_DONE, [realmId, id, nowMs]);
}

export async function markDead(tx: Transaction, { realmId, id }: DeliveryKey, nowMs: number): Promise<void> {
  await tx.query(
    `update webhook_delivery set state = 'dead', ended_at = to_timestamp($3::bigint / 1000.0) where realm_id = $1 and id = $2`,
    [realmId, id, nowMs],
  );
}

export async function deleteEnded(tx: Transaction, { realmId, id }: DeliveryKey): Promise<void> {
  await tx.query(`delete from webhook_delivery where realm_id = $1 and id = $2 and state in ('done', 'dead')`, [
    realmId,
    id,
  ]);
}

/** Those that failed, newest first. */
export function selectDead(sql: Sql, realmId: number, limit: number): Promise<WebhookDelivery[]> {
  return sql.query(
    `select id, bot_id as "botId", message_id as "messageId", calls, conclusion ->> 'failure' as failure, ended_at as "endedAtMs"
     from webhook_delivery where realm_id = $1 and state = 'dead' order by id desc limit $2`,
    [realmId, limit],
  );
}

/** The bots of a failed delivery, or of all of them. */
export async function selectBotsOfDead(sql: Sql, realmId: number, id: number | null): Promise<number[]> {
  const rows = await sql.query<{ botId: number }>(
    `select distinct bot_id as "botId" from webhook_delivery
     where realm_id = $1 and state = 'dead' and ($2::bigint is null or id = $2)`,
    [realmId, id],
  );
  return rows.map(({ botId }) => botId);
}

/** A failed delivery of these bots, which are locked, or all of them, begins anew; answers how many these are. */
export async function revive(
  tx: Transaction,
  realmId: number,
  botIds: readonly number[],
  id: number | null,
): Promise<number> {
  const rows = await tx.query(
    `update webhook_delivery set state = 'waiting', calls = 0, replays = replays + 1, conclusion = null, ended_at = null
     where realm_id = $1 and state = 'dead' and bot_id = any($2::bigint[]) and ($3::bigint is null or id = $3) returning 1`,
    [realmId, botIds, id],
  );
  return rows.length;
}

/** For metrics: how many are in each state but done. */
export function countDeliveries(sql: Sql): Promise<{ state: string; count: number }[]> {
  return sql.query(
    `select 'waiting' as state, count(*) as count from webhook_delivery where state = 'waiting'
     union all select 'under_way', count(*) from webhook_delivery where state = 'under_way'
     union all select 'dead', count(*) from webhook_delivery where state = 'dead'`,
  );
}
