import { onlyRow, type Sql, statement } from '@parley/shared/db';
import type { ReceivedVersions } from '@parley/shared/proto';
import { z } from 'zod';

// The end of each channel's index by versions: a channel's versions rise with ids.
const FIND = statement(
  `select greatest((
     select max(newest.id) from unnest($3::bigint[], $4::bigint[], $5::bigint[]) as received (channel_id, from_version, to_version)
     cross join lateral (
       select m.id from message m
       where m.realm_id = $1 and m.sent_channel_id is not null and m.sent_channel_id = received.channel_id
         and m.sent_version >= received.from_version and m.sent_version < received.to_version
       order by m.sent_version desc, m.id desc limit 1
     ) newest
   ), (
     select max(d.max_message_id) from direct_conversation d
     where d.realm_id = $1 and d.participant_ids @> array[$2::bigint] and d.max_message_id > 0
   )) as id`,
  { id: z.number().nullable() },
);

/** Null: none. */
export async function findNewestReceivedId(
  sql: Sql,
  realmId: number,
  userId: number,
  received: readonly ReceivedVersions[],
): Promise<number | null> {
  const rows = await sql.query(FIND, [
    realmId,
    userId,
    received.map(({ channelId }) => channelId),
    received.map(({ fromVersion }) => fromVersion),
    received.map(({ toVersion }) => toVersion ?? Number.MAX_SAFE_INTEGER),
  ]);
  return onlyRow(rows).id;
}
