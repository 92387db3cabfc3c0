import type { Sql } from '@parley/shared/db';
import type { SkippedAddress } from '@parley/shared/errors';

/** A request that its sender can recognize. */
export interface KeyedRequest {
  realmId: number;
  userId: number;
  kind: 'invitations' | 'link';
  key: string;
  /** Of all that it asks for. */
  digest: string;
}

/** What the first answer was made of. */
export interface FirstAnswer {
  linkId: number | null;
  skipped: SkippedAddress[];
}

/** As it is kept, with what it was an answer to; null: nobody noted that. */
export type KeptAnswer = FirstAnswer & { digest: string | null };

/** Null: there was no such request since then. */
export async function findAnswer(
  sql: Sql,
  { realmId, userId, kind, key }: KeyedRequest,
  sinceMs: number,
): Promise<KeptAnswer | null> {
  const [answer] = await sql.query<KeptAnswer>(
    `select link_id as "linkId", skipped, digest from request_key
     where realm_id = $1 and user_id = $2 and kind = $3 and key = $4 and created_at >= to_timestamp($5 / 1000.0)`,
    [realmId, userId, kind, key, sinceMs],
  );
  return answer ?? null;
}

/** Keeps the first answer; one that there is already is too old. */
export async function storeAnswer(
  sql: Sql,
  { realmId, userId, kind, key, digest }: KeyedRequest,
  { linkId, skipped }: FirstAnswer,
  nowMs: number,
): Promise<void> {
  await sql.query(
    `insert into request_key (realm_id, user_id, kind, key, link_id, skipped, created_at, digest)
     values ($1, $2, $3, $4, $5, $6, to_timestamp($7 / 1000.0), $8)
     on conflict (realm_id, user_id, kind, key) do update
     set link_id = excluded.link_id, skipped = excluded.skipped, created_at = excluded.created_at,
       digest = excluded.digest`,
    [realmId, userId, kind, key, linkId, JSON.stringify(skipped), nowMs, digest],
  );
}

/** Deletes at most `limit` answers from before that; returns how many. */
export async function deleteOldAnswers(sql: Sql, beforeMs: number, limit: number): Promise<number> {
  const rows = await sql.query(
    `with old as (
       select realm_id, user_id, kind, key from request_key where created_at < to_timestamp($1 / 1000.0)
       limit $2 for update skip locked
     )
     delete from request_key k using old o
     where k.realm_id = o.realm_id and k.user_id = o.user_id and k.kind = o.kind and k.key = o.key returning 1`,
    [beforeMs, limit],
  );
  return rows.length;
}
