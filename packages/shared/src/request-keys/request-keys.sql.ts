import { z } from 'zod';
import { fewRows, type RowOf, type Sql, statement } from '../db';

/** A request with an idempotency key. */
export interface KeyedRequest {
  realmId: number;
  userId: number;
  /** The operation: the same key may be used once for each kind. */
  kind: string;
  key: string;
  /** Digest of the whole request. */
  digest: string;
}

const FIND = statement(
  `select answer, digest from request_key
   where realm_id = $1 and user_id = $2 and kind = $3 and key = $4 and created_at >= to_timestamp($5 / 1000.0)`,
  // Each kind of request has separate answers. Rows of earlier versions have no digest.
  { answer: z.unknown(), digest: z.string().nullable() },
);

/** A stored answer, with the digest of its request. */
export type StoredAnswer = RowOf<typeof FIND>;

/** Null: no such request since that time. */
export async function findAnswer(
  sql: Sql,
  { realmId, userId, kind, key }: KeyedRequest,
  sinceMs: number,
): Promise<StoredAnswer | null> {
  const [kept] = await sql.query(FIND, [realmId, userId, kind, key, sinceMs]);
  return kept ?? null;
}

const STORE = statement(
  `insert into request_key as k (realm_id, user_id, kind, key, answer, digest, created_at)
   values ($1, $2, $3, $4, $5::jsonb, $6, to_timestamp($7 / 1000.0))
   on conflict (realm_id, user_id, kind, key) do update
   set answer = excluded.answer, digest = excluded.digest, created_at = excluded.created_at
   where k.created_at < to_timestamp($8 / 1000.0) returning key`,
  { key: z.string() },
);

/** Waits for a concurrent transaction with the same key; false if an answer was stored meanwhile. */
export async function storeAnswer(
  sql: Sql,
  { realmId, userId, kind, key, digest }: KeyedRequest,
  answer: unknown,
  { nowMs, sinceMs }: { nowMs: number; sinceMs: number },
): Promise<boolean> {
  const values = [realmId, userId, kind, key, JSON.stringify(answer), digest, nowMs, sinceMs];
  return (await sql.query(STORE, values)).length > 0;
}

const DELETE_OLD = statement(
  `with deleted as (
     delete from request_key k using ${fewRows(
       `select row(realm_id, user_id, kind, key) from request_key where created_at < to_timestamp($1 / 1000.0)
       order by created_at limit $2 for update skip locked`,
     )} as o (realm_id bigint, user_id bigint, kind text, key text)
     where k.realm_id = o.realm_id and k.user_id = o.user_id and k.kind = o.kind and k.key = o.key returning k.key
   ) select count(*) as count from deleted`,
  { count: z.number() },
);

/** Deletes at most `limit` answers from before that; returns how many. */
export async function deleteAnswers(sql: Sql, beforeMs: number, limit: number): Promise<number> {
  const [row] = await sql.query(DELETE_OLD, [beforeMs, limit]);
  return row?.count ?? 0;
}
