import { fewRows, onlyRow, type RowOf, type Sql, statement, type Transaction } from '@parley/shared/db';
import { z } from 'zod';

/** The conversation that an address belongs to; a direct one has participants instead of a channel. */
const CONVERSATION = {
  channelId: z.number().nullable(),
  topic: z.string(),
  participantIds: z.array(z.number()),
};

const FIND_LATEST = statement(
  `select id, salt, token_hash as "tokenHash" from reply_address
   where realm_id = $1 and user_id = $2 and conversation = $3 and ends_at >= to_timestamp($4 / 1000.0)
   order by ends_at desc, id desc limit 1`,
  { id: z.number(), salt: z.instanceof(Buffer), tokenHash: z.instanceof(Buffer) },
);

export type LatestAddress = RowOf<typeof FIND_LATEST>;

/** The person's address for a conversation that holds for longest, if it holds until then. */
export async function findLatestAddress(
  sql: Sql,
  { realmId, userId, conversation }: { realmId: number; userId: number; conversation: string },
  untilMs: number,
): Promise<LatestAddress | null> {
  const [row] = await sql.query(FIND_LATEST, [realmId, userId, conversation, untilMs]);
  return row ?? null;
}

const SET_MESSAGE = statement(
  'update reply_address set message_id = greatest(message_id, $3) where realm_id = $1 and id = $2',
);

export async function setAnsweredMessage(
  tx: Transaction,
  realmId: number,
  id: number,
  messageId: number,
): Promise<void> {
  await tx.query(SET_MESSAGE, [realmId, id, messageId]);
}

export interface NewReplyAddress {
  realmId: number;
  userId: number;
  conversation: string;
  channelId: number | null;
  topic: string;
  participantIds: readonly number[];
  messageId: number;
  salt: Buffer;
  tokenHash: Buffer;
  createdAtMs: number;
  endsAtMs: number;
}

const INSERT = statement(
  `insert into reply_address (realm_id, user_id, conversation, channel_id, topic, participant_ids, message_id, salt, token_hash,
     created_at, ends_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, to_timestamp($10 / 1000.0), to_timestamp($11 / 1000.0))`,
);

export async function insertReplyAddress(tx: Transaction, row: NewReplyAddress): Promise<void> {
  const { realmId, userId, conversation, channelId, topic, participantIds, messageId, salt, tokenHash } = row;
  const place = [realmId, userId, conversation, channelId, topic, participantIds, messageId];
  await tx.query(INSERT, [...place, salt, tokenHash, row.createdAtMs, row.endsAtMs]);
}

const DELETE_BEYOND = statement(
  `delete from reply_address where realm_id = $1 and user_id = $2 and id in (
     select id from reply_address where realm_id = $1 and user_id = $2 order by id desc offset $3)`,
);

/** Deletes the person's oldest addresses, all but a number. */
export async function deleteAddressesBeyond(
  tx: Transaction,
  realmId: number,
  userId: number,
  kept: number,
): Promise<void> {
  await tx.query(DELETE_BEYOND, [realmId, userId, kept]);
}

const FIND_BY_TOKEN = statement(
  `select realm_id as "realmId", user_id as "userId", channel_id as "channelId", topic, participant_ids as "participantIds",
     message_id as "messageId"
   from reply_address where token_hash = $1 and ends_at > to_timestamp($2 / 1000.0)`,
  { realmId: z.number(), userId: z.number(), ...CONVERSATION, messageId: z.number() },
);

export type FoundReplyAddress = RowOf<typeof FIND_BY_TOKEN>;

/** Null: there is none, or it has ended. */
export async function findAddressByToken(
  sql: Sql,
  tokenHash: Buffer,
  nowMs: number,
): Promise<FoundReplyAddress | null> {
  const [row] = await sql.query(FIND_BY_TOKEN, [tokenHash, nowMs]);
  return row ?? null;
}

const DELETE_ENDED = statement(
  `with deleted as (
     delete from reply_address a using ${fewRows(
       `select row(realm_id, id) from reply_address where ends_at <= to_timestamp($1 / 1000.0)
       order by ends_at limit $2 for update skip locked`,
     )} as e (realm_id bigint, id bigint) where a.realm_id = e.realm_id and a.id = e.id returning a.id
   ) select count(*) as count from deleted`,
  { count: z.number() },
);

/** Deletes at most `limit` addresses that have ended; returns how many. */
export async function deleteEndedAddresses(sql: Sql, nowMs: number, limit: number): Promise<number> {
  return onlyRow(await sql.query(DELETE_ENDED, [nowMs, limit])).count;
}
