import { fewRows, type Sql, statement } from '@parley/shared/db';
import { z } from 'zod';
import type { Context } from '../context';
import { JOB_KEY_PREFIX, NOTICE_KEY_PREFIX } from './key-prefixes';

interface FirstAnswer {
  messageId: number;
  /** See sendDigestOf(); null: stored by a version without it. */
  digest: string | null;
  /** The policy for the topic that the send gave its sender. */
  newPolicy: number | null;
}

/** The first answer to a key; null: none, or too long ago. */
export async function findFirstAnswer(
  { prisma }: Pick<Context, 'prisma'>,
  realmId: number,
  senderId: number,
  key: string,
): Promise<FirstAnswer | null> {
  const where = { realmId_senderId_key: { realmId, senderId, key } };
  const found = await prisma.sendKey.findUnique({ where, select: { messageId: true, digest: true } });
  if (found === null) return null;
  const given = await prisma.sendKeyPolicy.findUnique({ where, select: { policy: true } });
  return { messageId: Number(found.messageId), digest: found.digest, newPolicy: given?.policy ?? null };
}

/** Keys from before these times are deleted: those of notices and jobs, and all others. */
interface Expiry {
  noticesBeforeMs: number;
  othersBeforeMs: number;
}

const DELETE_SEND_KEYS = statement(
  `with deleted as (
     delete from send_key k using ${fewRows(
       `select row(realm_id, sender_id, key) from send_key
     where created_at < to_timestamp($2::bigint / 1000.0)
       and (created_at < to_timestamp($1::bigint / 1000.0) or not (starts_with(key, '${NOTICE_KEY_PREFIX}') or starts_with(key, '${JOB_KEY_PREFIX}')))
     order by created_at limit $3 for update skip locked`,
     )} as o (realm_id bigint, sender_id bigint, key text)
     where k.realm_id = o.realm_id and k.sender_id = o.sender_id and k.key = o.key returning 1
   )
   select count(*) as count from deleted`,
  { count: z.number() },
);

/** Deletes expired keys, at most `limit`; returns their number. */
export async function deleteSendKeys(
  sql: Sql,
  { noticesBeforeMs, othersBeforeMs }: Expiry,
  limit: number,
): Promise<number> {
  const [row] = await sql.query(DELETE_SEND_KEYS, [noticesBeforeMs, othersBeforeMs, limit]);
  return row?.count ?? 0;
}
