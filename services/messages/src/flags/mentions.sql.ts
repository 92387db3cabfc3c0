import { type RowOf, type Sql, statement } from '@parley/shared/db';
import { z } from 'zod';
import { isAddressed, type Reader } from '../access/permissions';
import { mentionsInTopic } from '../messages/message.sql';
import type { UnreadPlace } from '../search/find-unread.sql';

interface Mentions {
  /** By name or as members of a group. */
  personal: ReadonlySet<number>;
  wildcard: ReadonlySet<number>;
}

const MENTION = `m.id, m.channel_id as "channelId", m.sent_channel_id as "sentChannelId", m.sent_version as "sentVersion",
     m.moved_version as "movedVersion", exists (select from personal_flag f
       where f.realm_id = m.realm_id and f.user_id = $2 and f.message_id = m.id and f.is_called) as "isCalled"`;
const IS_IN_PLACE = '(m.channel_id is null or m.channel_id = any($4::bigint[]))';

const FIND = statement(
  `select ${MENTION}, true as "isPersonal"
   from mention n join message m on m.realm_id = n.realm_id and m.id = n.message_id
   where n.realm_id = $1 and n.user_id = $2 and n.message_id >= $3 and ${IS_IN_PLACE}
   union all
   select ${MENTION}, false from message m
   where m.realm_id = $1 and (m.mentions_channel or m.mentions_topic) and (m.mentions_channel or ${mentionsInTopic('$2')})
     and m.id >= $3 and ${IS_IN_PLACE}`,
  {
    id: z.number(),
    channelId: z.number().nullable(),
    sentChannelId: z.number().nullable(),
    sentVersion: z.number().nullable(),
    movedVersion: z.number().nullable(),
    // The reader is a bot that got the message by the mention.
    isCalled: z.boolean(),
    isPersonal: z.boolean(),
  },
);

/**
 * The messages that mention a user, from the oldest of those in the places on: all in their channels, and direct ones of anybody. Mentions
 * are few. NOTE: the reader's hundreds of channels are compared here, as PostgreSQL takes longer to read them than to find the mentions.
 */
export async function findMentions(sql: Sql, reader: Reader, places: readonly UnreadPlace[]): Promise<Mentions> {
  if (places.length === 0) return { personal: new Set(), wildcard: new Set() };
  const firstId = places.reduce((first, { messageIds }) => Math.min(first, messageIds[0] as number), Infinity);
  const channelIds = new Set(places.flatMap(({ channelId }) => channelId ?? []));
  const found = await sql.query(FIND, [reader.realm.id, reader.userId, firstId, [...channelIds]]);
  const rows = found.filter((row) => isForReader(row, reader));
  const idsOf = (isPersonal: boolean) =>
    new Set(rows.filter((row) => row.isPersonal === isPersonal).map(({ id }) => id));
  return { personal: idsOf(true), wildcard: idsOf(false) };
}

function isForReader({ isCalled, ...place }: RowOf<typeof FIND>, reader: Reader): boolean {
  // Unread direct messages are the reader's own.
  return place.channelId === null || isCalled || isAddressed({ ...place, participantIds: null }, reader);
}
