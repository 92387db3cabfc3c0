import { type Sql, type Statement, statement } from '@parley/shared/db';

/** Towards older messages, or towards newer ones. */
export type Direction = 'before' | 'after';

const ORDER = { before: { compare: '<=', sort: 'desc' }, after: { compare: '>=', sort: 'asc' } } as const;

/** Where to look next: ids from `fromId` on, itself included, in a direction. */
export interface Range {
  realmId: number;
  direction: Direction;
  fromId: number;
  limit: number;
}

/** Whom for, and what is left out. */
export interface Exclusions {
  readerId: number;
  channelIds: readonly number[];
  conversationIds: readonly number[];
  /** Leave out what the reader has read. */
  isUnreadOnly: boolean;
}

/** Exclusions as conditions on `m`, with the parameters from `$1 = realm` to `$7`. */
const SHARED_PARAMETERS = 7;
const NOT_EXCLUDED = `(m.channel_id is null or m.channel_id <> all($5::bigint[])) and m.conversation_id <> all($6::bigint[])
  and not ($7::boolean and (m.sender_id = $4 and m.is_read_by_sender or $4 = any(m.read_by_ids)))`;

function sharedValues({ realmId, fromId, limit }: Range, exclusions: Exclusions): unknown[] {
  const { readerId, channelIds, conversationIds, isUnreadOnly } = exclusions;
  return [realmId, fromId, limit, readerId, channelIds, conversationIds, isUnreadOnly];
}

const perDirection = (make: (direction: Direction) => Statement) => ({ before: make('before'), after: make('after') });

/** A channel or conversation to look into, and the subscription versions whose messages are meant: all of them when null. */
export interface Source {
  id: number;
  versions: string | null;
}

/** Each source is read along its index, so the cost is bounded by the number of sources and the limit. */
const IN_SOURCES = perDirection((direction) => {
  const { compare, sort } = ORDER[direction];
  const part = (column: string, parameter: number) =>
    `select found.id from unnest($${parameter}::bigint[], $${parameter + 1}::int8multirange[]) as source (id, versions)
     cross join lateral (
       select m.id from message m
       where m.realm_id = $1 and m.${column} = source.id and m.id ${compare} $2 and ${NOT_EXCLUDED}
         and (source.versions is null or source.versions @> m.sent_version)
       order by m.id ${sort} limit $3
     ) found`;
  const channels = part('channel_id', SHARED_PARAMETERS + 1);
  const conversations = part('conversation_id', SHARED_PARAMETERS + 3);
  return statement(
    `find-in-sources-${direction}`,
    `select id from (${channels} union all ${conversations}) as m order by id ${sort} limit $3`,
  );
});

/** Ids of messages in any of those channels and conversations, in the order of the direction. */
export async function findInSources(
  sql: Sql,
  range: Range,
  exclusions: Exclusions,
  channels: readonly Source[],
  conversations: readonly Source[],
): Promise<number[]> {
  const rows = await sql.query<{ id: number }>(IN_SOURCES[range.direction], [
    ...sharedValues(range, exclusions),
    ...columnsOf(channels),
    ...columnsOf(conversations),
  ]);
  return rows.map(({ id }) => id);
}

function columnsOf(sources: readonly Source[]): unknown[] {
  return [sources.map(({ id }) => id), sources.map(({ versions }) => versions)];
}

/** A window of the organization's messages is joined with what the reader received, channel by channel and in person. */
const IN_WINDOW = perDirection((direction) => {
  const { compare, sort } = ORDER[direction];
  return statement(
    `find-in-window-${direction}`,
    `with scanned as materialized (
       select id, channel_id, conversation_id, sent_channel_id, sent_version, sender_id, is_read_by_sender, read_by_ids
       from message where realm_id = $1 and id ${compare} $2 order by id ${sort} limit $8
     ), received as (
       select m.id from scanned m
       join unnest($9::bigint[], $10::int8multirange[]) as source (id, versions)
         on source.id = m.sent_channel_id and source.versions @> m.sent_version
       where ${NOT_EXCLUDED}
       union all
       select m.id from scanned m
       join direct_conversation d on d.realm_id = $1 and d.id = m.conversation_id
       where m.channel_id is null and d.participant_ids @> array[$4::bigint] and ${NOT_EXCLUDED}
     )
     select (select count(*) from scanned) as scanned,
       (select id from scanned order by id ${sort === 'desc' ? 'asc' : 'desc'} limit 1) as "lastId",
       array(select id from received order by id ${sort} limit $3) as ids`,
  );
});

export interface Window {
  /** How many messages were looked at, the last of them, and the ids of those received. */
  scanned: number;
  lastId: number | null;
  ids: number[];
}

/** Ids of messages that the reader received among the next `size` of the organization. */
export async function findInWindow(
  sql: Sql,
  range: Range,
  exclusions: Exclusions,
  size: number,
  channels: readonly Source[],
): Promise<Window> {
  const [row] = await sql.query<Window>(IN_WINDOW[range.direction], [
    ...sharedValues(range, exclusions),
    size,
    ...columnsOf(channels),
  ]);
  return row as Window;
}
