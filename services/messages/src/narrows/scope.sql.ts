import { type Sql, statement } from '@parley/shared/db';
import { RESOLVED_TOPIC_PREFIX } from '@parley/shared/values';
import { z } from 'zod';
import { keepsReceived, type ReadableChannel, type Reader } from '../access/permissions';
import { wasGiven } from '../read-state/first-history.sql';
import { isInChannels, isOneOf } from './conditions.sql';
import { type Bind, multirange, type Narrow } from './narrow';

/** The condition on `m` for a message in the reader's scope. */
export interface ScopeSql {
  /** Separately: for a few messages, in the order of an index. */
  alone: string;
  /** Together with a join: for many at once. */
  joined: string;
  source: string;
}

export function isInScope({ reader, narrow }: { reader: Reader; narrow: Narrow }, bind: Bind): ScopeSql {
  const { scope, conversations } = narrow;
  // Narrows cannot name direct conversations of others.
  const isOfOwnDirects = conversations?.every(({ channelId }) => channelId === null) ?? false;
  if (scope.kind === 'named' || isOfOwnDirects) return { alone: 'true', joined: 'true', source: '' };
  if (scope.kind === 'received') return isReceived(reader, bind);
  const condition = isInChannels(scope.channelIds)(bind);
  return { alone: condition, joined: condition, source: '' };
}

/**
 * As hasReceived(), plus messages with own flags, and the recent history given on joining. Nothing is stored per receiver: what
 * was received follows from the subscription versions. NOTE: these are text, since PostgreSQL takes more than a microsecond to read
 * each multirange, and a page needs those of few channels.
 */
function isReceived(reader: Reader, bind: Bind): ScopeSql {
  const known = [...reader.channels.values()];
  const been = known.filter(({ intervals }) => intervals.length > 0);
  const ids = bind(
    been.map(({ channelId }) => channelId),
    'bigint[]',
  );
  const versions = bind(
    been.map(({ intervals }) => multirange(intervals)),
    'text[]',
  );
  const isOneOfThose = (channels: readonly ReadableChannel[]) =>
    isOneOf(
      channels.map(({ channelId }) => channelId),
      bind,
    )('m.channel_id');
  const isGained = isOneOfThose(
    known.filter(({ hasContentAccess, mayReadHistory }) => hasContentAccess && !mayReadHistory),
  );
  const isReadable = isOneOfThose(known.filter(({ mayReadHistory }) => mayReadHistory));
  const closed = been.filter((channel) => !keepsReceived(channel));
  const isStillTheirs = `m.channel_id = m.sent_channel_id${closed.length === 0 ? '' : ` and not (${isOneOfThose(closed)})`}`;
  const readerId = bind(reader.userId, 'bigint');
  const versionsOf = (channelId: string) => `((${versions})[array_position(${ids}, ${channelId})])::int8multirange`;
  // A reader may have hundreds of channels, so this condition is evaluated last.
  const condition = (sentTo: string) => `(
    case when m.channel_id is null then m.conversation_id in (
      select d.id from direct_conversation d where d.realm_id = $1 and d.participant_ids @> array[${readerId}])
    else ${sentTo} @> m.sent_version and (${isStillTheirs} or ${isReadable})
      or m.moved_version is not null and ${isGained} and ${versionsOf('m.channel_id')} @> m.moved_version
    end or (${isHistorical(readerId)} or ${wasGiven(readerId)}) and ${isReadable})`;
  return {
    alone: condition(versionsOf('m.sent_channel_id')),
    joined: condition('source.versions'),
    source: sourceOf(ids, versions),
  };
}

// Of the subscripts PostgreSQL expects a thousand, which it hashes. Of lists alone it expects ten, and compares each message with each channel.
const sourceOf = (ids: string, versions: string) => `left join (
      select id, versions::int8multirange as versions
      from rows from (unnest(${ids}), unnest(${versions}), generate_subscripts(${ids}, 1)) as source (id, versions, nth) offset 0
    ) source on source.id = m.sent_channel_id`;

const isHistorical = (readerId: string) => `m.id in (
      select f.message_id from personal_flag f where f.realm_id = $1 and f.user_id = ${readerId} and f.is_historical)`;

/** A topic with messages, and a user's policy for it: 1 muted, 2 unmuted, 3 followed. */
const TOPIC_POLICY_PLACE = {
  id: z.number(),
  channelId: z.number(),
  policy: z.number(),
};

export type TopicPolicyPlace = z.infer<z.ZodObject<typeof TOPIC_POLICY_PLACE>>;

const LIST = statement(
  `select t.id, t.channel_id as "channelId", p.policy
   from topic_policy p
   join topic t on t.realm_id = p.realm_id and t.channel_id = p.channel_id and t.name_key = p.name_key
   where p.realm_id = $1 and p.user_id = $2`,
  TOPIC_POLICY_PLACE,
);

export function listTopicPolicyPlaces(sql: Sql, realmId: number, userId: number): Promise<TopicPolicyPlace[]> {
  return sql.query(LIST, [realmId, userId]);
}

const LIST_DIRECT_CONVERSATIONS = statement(
  `select id from direct_conversation
   where realm_id = $1 and participant_ids @> array[$2::bigint, $3::bigint] and cardinality(participant_ids) >= $4`,
  { id: z.number() },
);

/** The direct conversations of two users, with a minimum number of participants. */
export async function listSharedConversations(
  sql: Sql,
  realmId: number,
  userId: number,
  otherId: number,
  leastParticipants: number,
): Promise<number[]> {
  const rows = await sql.query(LIST_DIRECT_CONVERSATIONS, [realmId, userId, otherId, leastParticipants]);
  return rows.map(({ id }) => id);
}

const LIST_RESOLVED_TOPICS = statement(
  `select id from topic
   where realm_id = $1 and channel_id = any($2::bigint[]) and starts_with(name, '${RESOLVED_TOPIC_PREFIX}') limit $3`,
  { id: z.number() },
);

/** The resolved topics of some channels; null when there are more than `most`. */
export async function listResolvedTopics(
  sql: Sql,
  realmId: number,
  channelIds: readonly number[],
  most: number,
): Promise<number[] | null> {
  const rows = await sql.query(LIST_RESOLVED_TOPICS, [realmId, channelIds, most + 1]);
  return rows.length > most ? null : rows.map(({ id }) => id);
}
