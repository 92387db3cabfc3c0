import type { Sql } from '@parley/shared/db';
import type { Context } from '../context';

/** The first answer to a key; null when there was none, or too long ago. */
export async function findFirstAnswer(
  { prisma }: Pick<Context, 'prisma'>,
  realmId: number,
  senderId: number,
  key: string,
): Promise<number | null> {
  const found = await prisma.sendKey.findUnique({
    where: { realmId_senderId_key: { realmId, senderId, key } },
    select: { messageId: true },
  });
  return found && Number(found.messageId);
}

/** Deletes keys older than `beforeMs`, at most `limit` of them; answers how many. */
export async function deleteSendKeys(sql: Sql, beforeMs: number, limit: number): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    `with old as (
       select realm_id, sender_id, key from send_key where created_at < to_timestamp($1::bigint / 1000.0)
       order by created_at limit $2 for update skip locked
     ), deleted as (
       delete from send_key k using old o
       where k.realm_id = o.realm_id and k.sender_id = o.sender_id and k.key = o.key returning 1
     )
     select count(*) as count from deleted`,
    [beforeMs, limit],
  );
  return row?.count ?? 0;
}
