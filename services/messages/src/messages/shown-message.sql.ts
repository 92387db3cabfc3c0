import { hasRow, type Sql, statement } from '@parley/shared/db';
import { messageShape, type Reaction, type Submessage } from '@parley/shared/proto';
import { groupBy } from '@parley/shared/values';
import { z } from 'zod';
import type { StoredReadState } from '../read-state/read-state.sql';
import { EDIT_ROW, type EditRow, editsOf } from './edits.sql';
import { MESSAGE_ROW, type MessageRow, messageRows, ownColumns } from './message.sql';

export interface ShownState extends StoredReadState {
  /** Part of the recent history that the reader got on joining. */
  isGiven: boolean;
}

/** A message with everything shown to a reader, except its users. */
export interface ShownMessageRow extends MessageRow {
  stored: ShownState;
  /** Oldest first. */
  reactions: Reaction[];
  /** In the order in which they were made. */
  submessages: Submessage[];
  /** The newest first. */
  edits: EditRow[];
}

/** Limits of one answer; a search has the HTML twice, the second time with marks. */
export const MAX_BYTES = 8 * 1024 * 1024;
const MAX_BYTES_OF_SEARCH = 6 * 1024 * 1024;

/** Further data of a page's messages: few rows, read for all of them together. */
const BESIDE = {
  topics: z.array(z.strictObject({ id: z.number(), name: z.string() })),
  directs: z.array(z.strictObject({ id: z.number(), participantIds: z.array(z.number()) })),
  /** The reader's: messages that mention them, watermarks of everything and of channels, and exceptions. */
  mentions: z.array(z.number()),
  readTo: z.number(),
  channelsReadTo: z.array(z.strictObject({ channelId: z.number(), messageId: z.number() })),
  exceptions: z.array(
    z.strictObject({ conversationId: z.number(), read: z.string(), unread: z.string(), unpassed: z.string() }),
  ),
  flags: z.array(
    z.strictObject({
      messageId: z.number(),
      isStarred: z.boolean(),
      isCollapsed: z.boolean(),
      isHistorical: z.boolean(),
      isCalled: z.boolean(),
    }),
  ),
  given: z.strictObject({ channelIds: z.array(z.number()), fromId: z.number(), toId: z.number() }).nullable(),
  reactions: z.array(
    z.strictObject({ messageId: z.number(), reaction: messageShape<Reaction>('messages', 'Reaction') }),
  ),
  submessages: z.array(messageShape<Submessage>('messages', 'Submessage')),
  edits: z.array(z.strictObject(EDIT_ROW)),
};

type Beside = z.infer<z.ZodObject<typeof BESIDE>>;

/** The values of a statement, as SQL; `$1` is the organization. */
interface PageParameters {
  /** In the order in which they are dropped if not all fit: the last first. */
  messageIds: string;
  readerId: string;
  mostBytes: string;
}

const listOf = (item: string, rest: string, order = '') =>
  `coalesce((select json_agg(${item} ${order}) from ${rest}), '[]')`;
const objectsOf = (columns: Record<string, string>, rest: string, order = '') =>
  listOf(`json_build_object(${Object.entries(columns).map(([name, column]) => `'${name}', ${column}`)})`, rest, order);

/** The table `of_page`: what the page's other tables are asked for. */
const OF_PAGE = `of_page as materialized (
     select min(id) as first_id, array_agg(distinct conversation_id) as conversation_ids, array_agg(distinct channel_id) as channel_ids,
       array_agg(distinct conversation_id) filter (where channel_id is null) as direct_ids,
       int8multirange(int8range(min(id), max(id), '[]')) as ids
     from page
   )`;

const anyOfPage = (ids: string) => `any((select ${ids} from of_page)::bigint[])`;
const CONVERSATIONS = anyOfPage('conversation_ids');
const withinPage = (ids: string) => `(e.${ids} * (select ids from of_page))::text`;

/**
 * SQL for BESIDE: reads each table once for the whole page, through an index, also for ids of messages that do not fit into the
 * answer.
 */
function besideJson(parameters: PageParameters): string {
  const { messageIds } = parameters;
  return `json_build_object(
    'topics', ${objectsOf({ id: 't.id', name: 't.name' }, `topic t where t.realm_id = $1 and t.id = ${CONVERSATIONS}`)},
    'directs', ${objectsOf(
      { id: 'd.id', participantIds: 'd.participant_ids' },
      `unnest((select direct_ids from of_page)) as direct (id) cross join lateral (
         select id, participant_ids from direct_conversation where realm_id = $1 and id = direct.id offset 0
       ) d`,
    )},
    ${readerMembers(parameters)},
    'reactions', ${objectsOf(
      {
        messageId: 'r.message_id',
        reaction: `json_build_object('userId', r.user_id, 'emojiName', r.emoji_name, 'emojiCode', r.emoji_code,
          'reactionType', r.reaction_type)`,
      },
      `reaction r where r.realm_id = $1 and r.message_id = any(${messageIds})`,
      'order by r.id',
    )},
    'submessages', case when (select submessages from has) then ${objectsOf(
      { id: 's.id', messageId: 's.message_id', senderId: 's.sender_id', msgType: 's.msg_type', content: 's.content' },
      `submessage s where s.realm_id = $1 and s.message_id = any(array(select id from page))`,
      'order by s.id',
    )} else '[]' end,
    'edits', case when (select edits from has)
      or ${hasAny('topic_edit', 'conversation_id', CONVERSATIONS)}
    then ${listOf(
      `to_jsonb(e) || jsonb_build_object('editedAtMs', floor(extract(epoch from e."editedAtMs") * 1000))`,
      `(${editsOf('array(select id from page)')}) e`,
      'order by e."editId" desc',
    )} else '[]' end)`;
}

/** SQL for the members of BESIDE that belong to the reader. */
function readerMembers({ messageIds, readerId }: PageParameters): string {
  const ofReader = (name: string) => `${name}.realm_id = $1 and ${name}.user_id = ${readerId}`;
  return `'mentions', ${listOf('n.message_id', `mention n where ${ofReader('n')} and n.message_id = any(${messageIds})`)},
    'readTo', coalesce((select w.message_id from read_watermark w where ${ofReader('w')}), 0),
    'channelsReadTo', ${objectsOf(
      { channelId: 'c.channel_id', messageId: 'c.message_id' },
      `channel_read_watermark c where ${ofReader('c')} and c.channel_id = ${anyOfPage('channel_ids')}`,
    )},
    'exceptions', ${objectsOf(
      {
        conversationId: 'e.conversation_id',
        read: withinPage('read'),
        unread: withinPage('unread'),
        unpassed: withinPage('unpassed'),
      },
      `read_exception e where ${ofReader('e')} and e.conversation_id = ${CONVERSATIONS}`,
    )},
    'flags', ${objectsOf(
      {
        messageId: 'f.message_id',
        isStarred: 'f.is_starred',
        isCollapsed: 'f.is_collapsed',
        isHistorical: 'f.is_historical',
        isCalled: 'f.is_called',
      },
      `personal_flag f where ${ofReader('f')} and f.message_id = any(${messageIds})`,
    )},
    'given', (
      select json_build_object('channelIds', h.channel_ids, 'fromId', h.from_id, 'toId', h.to_id) from first_history h where ${ofReader('h')}
    )`;
}

/** Asked in the order of the table's key: to find just any row, the planner would read the whole table, in the hope that one comes early. */
const hasAny = (table: string, column: string, anyOf: string) =>
  hasRow(`from ${table} x where x.realm_id = $1 and x.${column} = ${anyOf} order by x.${column}`);

// Few messages were edited or have submessages: if none of a page were, nothing more is read.
const hasTable = ({ messageIds }: PageParameters) => `has as materialized (
     select ${hasAny('message_edit', 'message_id', `any(${messageIds})`)} as edits,
       ${hasAny('submessage', 'message_id', `any(${messageIds})`)} as submessages
   )`;

const bytesOf = (table: string, ...columns: string[]) => `coalesce((
         select sum(${columns.map((column) => `coalesce(octet_length(x.${column}), 0)`).join(' + ')}) from ${table} x
         where x.realm_id = $1 and x.message_id = m.id
       ), 0)`;

/**
 * The table `page`: of the ids, in their order, as many as fit into one answer: some messages are a megabyte of HTML, or were
 * edited often.
 */
const pageTable = ({ messageIds, mostBytes }: PageParameters) => `page as materialized (
     select * from (
       select m.id, m.conversation_id, m.channel_id, m.sent_channel_id, m.sent_version, m.moved_version, m.sender_id, m.topic_name,
         m.topic_links, m.content, m.rendered_content, m.sent_at, m.client_name, m.is_me_message, m.is_read_by_sender, m.read_by_ids,
         m.mentions_channel, m.mentions_topic, m.topic_participant_ids, wanted.place,
         sum(octet_length(m.content) + octet_length(m.rendered_content)
           + case when (select edits from has) then ${bytesOf('message_edit', 'prev_content', 'prev_rendered_content')} else 0 end
           + case when (select submessages from has) then ${bytesOf('submessage', 'content')} else 0 end
         ) over (order by wanted.place) as bytes
       from unnest(${messageIds}) with ordinality as wanted (id, place) join message m on m.realm_id = $1 and m.id = wanted.id
     ) sized where sized.bytes <= ${mostBytes} or sized.place = 1
   )`;

const { topic: _topic, participantIds: _participantIds, mentionsReader: _mentionsReader, ...OWN_COLUMNS } = MESSAGE_ROW;

/** The columns of shownMessages(). */
export const SHOWN_ROW = {
  ...OWN_COLUMNS,
  /** Only where it differs in casing from the topic's. */
  topicName: z.string().nullable(),
  /** With the first row only. */
  beside: z.strictObject(BESIDE).nullable(),
};

type LoadedRow = z.infer<z.ZodObject<typeof SHOWN_ROW>>;

/** By their parameters: few differ, and the text is long. */
const LOADING = new Map<string, string>();
const MOST_LOADING = 100;

/** A statement for SHOWN_ROW of messages, ascending; `tables` come first in it, and `more` has columns for the first row. */
export function shownMessages(
  p: PageParameters,
  tables: readonly string[] = [],
  more: Readonly<Record<string, string>> = {},
): string {
  const key = [...Object.values(p), ...Object.entries(more).flat()].join();
  const loading = LOADING.get(key) ?? loadingText(p, more);
  if (LOADING.size < MOST_LOADING) LOADING.set(key, loading);
  return `with recursive ${[...tables, loading].join(', ')}`;
}

function loadingText(p: PageParameters, more: Readonly<Record<string, string>>): string {
  const ofPage = Object.entries({ beside: besideJson(p), ...more }).map(
    ([name, value]) => `case when m.id = (select first_id from of_page) then ${value} end as "${name}"`,
  );
  return `${hasTable(p)}, ${pageTable(p)}, ${OF_PAGE}
   select ${ownColumns(p.readerId)}, m.topic_name as "topicName", ${ofPage.join(', ')}
   from page m order by m.id`;
}

const LOAD = statement(shownMessages({ messageIds: '$2::bigint[]', readerId: '$3', mostBytes: '$4' }), SHOWN_ROW);

/**
 * Messages by id, ascending, as shown to a reader; missing ids are skipped, and so are the last ids if messages are too large.
 */
export async function loadShownMessages(
  sql: Sql,
  realmId: number,
  messageIds: readonly number[],
  readerId: number,
  isSearch = false,
): Promise<ShownMessageRow[]> {
  return shownOf(await sql.query(LOAD, [realmId, messageIds, readerId, isSearch ? MAX_BYTES_OF_SEARCH : MAX_BYTES]));
}

/** The messages of the rows of shownMessages(). */
export function shownOf(rows: readonly LoadedRow[]): ShownMessageRow[] {
  const beside = rows[0]?.beside;
  return beside ? withBeside(rows, beside) : [];
}

function withBeside(rows: readonly LoadedRow[], beside: Beside): ShownMessageRow[] {
  const storedOf = storedStates(beside);
  const topics = new Map(beside.topics.map(({ id, name }) => [id, name]));
  const directs = new Map(beside.directs.map(({ id, participantIds }) => [id, participantIds]));
  const mentions = new Set(beside.mentions);
  const reactions = groupBy(beside.reactions, ({ messageId }) => messageId);
  const submessages = groupBy(beside.submessages, ({ messageId }) => messageId);
  const edits = groupBy(beside.edits, ({ messageId }) => messageId);
  // NOTE: members are named one by one: copying the rest of each row takes several times as long as reading the row.
  return rows.map((row) => ({
    id: row.id,
    conversationId: row.conversationId,
    channelId: row.channelId,
    sentChannelId: row.sentChannelId,
    sentVersion: row.sentVersion,
    movedVersion: row.movedVersion,
    senderId: row.senderId,
    topicLinks: row.topicLinks,
    content: row.content,
    renderedContent: row.renderedContent,
    sentAtMs: row.sentAtMs,
    clientName: row.clientName,
    isMeMessage: row.isMeMessage,
    isReadBySender: row.isReadBySender,
    readByIds: row.readByIds,
    mentionsChannel: row.mentionsChannel,
    mentionsTopic: row.mentionsTopic,
    mentionsReaderInTopic: row.mentionsReaderInTopic,
    topic: row.topicName ?? topics.get(row.conversationId) ?? '',
    participantIds: directs.get(row.conversationId) ?? null,
    mentionsReader: mentions.has(row.id),
    stored: storedOf(row),
    reactions: reactions.get(row.id)?.map(({ reaction }) => reaction) ?? [],
    submessages: submessages.get(row.id) ?? [],
    edits: edits.get(row.id) ?? [],
  }));
}

type MessageLocation = Pick<MessageRow, 'id' | 'conversationId' | 'channelId' | 'sentChannelId'>;

function storedStates({
  readTo,
  channelsReadTo,
  exceptions,
  flags,
  given,
}: Beside): (place: MessageLocation) => ShownState {
  const channels = new Map(channelsReadTo.map(({ channelId, messageId }) => [channelId, messageId]));
  const marks = new Map(exceptions.map(({ conversationId, ...ids }) => [conversationId, marksOf(ids)]));
  const flagsById = new Map(flags.map((flag) => [flag.messageId, flag]));
  return ({ id, conversationId, channelId, sentChannelId }) => {
    const marked = marks.get(conversationId) ?? UNMARKED;
    const { isStarred, isCollapsed, isHistorical, isCalled } = flagsById.get(id) ?? UNFLAGGED;
    const passedTo = Math.max(readTo, channels.get(channelId ?? 0) ?? 0);
    return {
      messageId: id,
      isMarkedRead: marked.read(id),
      isMarkedUnread: marked.unread(id),
      isPassed: id <= passedTo && !marked.unpassed(id),
      isStarred,
      isCollapsed,
      isHistorical,
      isCalled,
      isGiven: given !== null && isWithin(id, given) && given.channelIds.includes(sentChannelId ?? 0),
    };
  };
}

const UNFLAGGED = { isStarred: false, isCollapsed: false, isHistorical: false, isCalled: false };

type Contains = (id: number) => boolean;

const nothing: Contains = () => false;
const UNMARKED = { read: nothing, unread: nothing, unpassed: nothing };

function marksOf({ read, unread, unpassed }: Record<'read' | 'unread' | 'unpassed', string>): typeof UNMARKED {
  return { read: idsIn(read), unread: idsIn(unread), unpassed: idsIn(unpassed) };
}

/** Reads a multirange with finite bounds, as PostgreSQL writes it: `{[3,5),[9,10)}`. */
function idsIn(multirange: string): Contains {
  if (multirange === '{}') return nothing;
  const bounds = multirange.match(/\d+/g)?.map(Number) ?? [];
  // The ids of a range are those with an odd number of bounds up to them.
  return (id) => countUpTo(bounds, id) % 2 === 1;
}

/** How many of the ascending numbers are not greater. */
function countUpTo(numbers: readonly number[], most: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] as number) <= most) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isWithin(id: number, { fromId, toId }: { fromId: number; toId: number }): boolean {
  return fromId <= id && id <= toId;
}

const LOAD_PLAIN = statement(
  `with fitting as (
     select sized.id from (
       select wanted.id, wanted.place,
         sum(octet_length(m.content) + octet_length(m.rendered_content)) over (order by wanted.place) as bytes
       from unnest($2::bigint[]) with ordinality as wanted (id, place) join message m on m.realm_id = $1 and m.id = wanted.id
     ) sized where sized.bytes <= $4 or sized.place = 1
   ) ${messageRows('', 'array(select id from fitting)')}`,
  MESSAGE_ROW,
);

/** The same without others' reactions, edits and submessages, and without the reader's flags. */
export function loadFittingMessages(
  sql: Sql,
  realmId: number,
  messageIds: readonly number[],
  readerId: number,
): Promise<MessageRow[]> {
  return sql.query(LOAD_PLAIN, [realmId, messageIds, readerId, MAX_BYTES_OF_SEARCH]);
}
