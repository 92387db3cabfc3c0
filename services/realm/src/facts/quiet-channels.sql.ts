import { type Sql, statement } from '@parley/shared/db';
import type { AgedChannel } from '@parley/shared/proto';
import { z } from 'zod';

const LIST_AGED = statement(
  `select c.realm_id as "realmId", c.id as "channelId", c.is_quiet as "isQuiet" from channel c
   where (c.realm_id, c.id) > ($2::bigint, $3::bigint) and c.created_at < to_timestamp($1 / 1000.0)
     and exists (select from realm r where r.id = c.realm_id and not r.is_deactivated)
   order by c.realm_id, c.id limit $4`,
  { realmId: z.number(), channelId: z.number(), isQuiet: z.boolean() },
);

/** Channels of active organizations created before that time, by organization and id, after the given one. */
export function listAgedChannels(
  sql: Sql,
  createdBeforeMs: number,
  after: Pick<AgedChannel, 'realmId' | 'channelId'>,
  limit: number,
): Promise<AgedChannel[]> {
  return sql.query(LIST_AGED, [createdBeforeMs, after.realmId, after.channelId, limit]);
}

const UPDATE = statement('update channel set is_quiet = $3 where realm_id = $1 and id = any($2)');

export async function updateIsQuiet(
  sql: Sql,
  realmId: number,
  channelIds: readonly number[],
  isQuiet: boolean,
): Promise<void> {
  await sql.query(UPDATE, [realmId, channelIds, isQuiet]);
}
