import { onlyRow, type Sql, statement } from '@parley/shared/db';
import type { ReceivedVersions } from '@parley/shared/proto';
import { z } from 'zod';

/** Mostly one of the newest messages was received: so many are looked at first. */
export const NEWEST = 8;

const RECEIVED = 'unnest($3::bigint[], $4::bigint[], $5::bigint[]) as received (channel_id, from_version, to_version)';

const AMONG_NEWEST = `select m.id from (
     select id, conversation_id, sent_channel_id, sent_version from message where realm_id = $1 order by id desc limit ${NEWEST}
   ) m
   where case when m.sent_channel_id is null then exists (
       select from direct_conversation d
       where d.realm_id = $1 and d.id = m.conversation_id and d.participant_ids @> array[$2::bigint]
     ) else exists (
       select from ${RECEIVED}
       where received.channel_id = m.sent_channel_id
         and m.sent_version >= received.from_version and m.sent_version < received.to_version
     ) end
   order by m.id desc limit 1`;

// The end of each channel's index by versions: a channel's versions rise with ids.
const OF_CHANNELS = `select max(newest.id) from ${RECEIVED}
   cross join lateral (
     select m.id from message m
     where m.realm_id = $1 and m.sent_channel_id is not null and m.sent_channel_id = received.channel_id
       and m.sent_version >= received.from_version and m.sent_version < received.to_version
     order by m.sent_version desc, m.id desc limit 1
   ) newest`;

const OF_DIRECTS = `select max(d.max_message_id) from direct_conversation d
   where d.realm_id = $1 and d.participant_ids @> array[$2::bigint] and d.max_message_id > 0`;

const FIND = statement(`select coalesce((${AMONG_NEWEST}), greatest((${OF_CHANNELS}), (${OF_DIRECTS}))) as id`, {
  id: z.number().nullable(),
});

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
