import { type Sql, statement, type UncheckedStatement } from '@parley/shared/db';
import { topicKey } from '@parley/shared/values';
import { type NewMessage, type PendingMessageSent, serializeAfterIds } from '../content/new-message';
import { readByAllBut } from '../read-state/is-read';
import { STORE_TEXT } from './store-text.sql';

/** What a batch may have: the parts of the statement for what it has not are left out, which takes a third of its time. */
type Part = 'keys' | 'directs' | 'mentions' | 'widgets' | 'policies';

const HAS: Record<Part, (message: NewMessage) => boolean> = {
  keys: ({ key }) => key !== null,
  directs: ({ sent }) => sent.message.channelId === undefined,
  mentions: ({ sent }) => sent.mentionedIds.length > 0,
  widgets: ({ widget }) => widget !== null && widget !== undefined,
  policies: (message) => mayChangePolicies(message),
};

const OPTIONAL = /<(keys|directs|mentions|widgets|policies)>(.*?)(?:<else>(.*?))?<\/\1>/gs;

interface Column {
  type: string;
  cellOf(message: NewMessage): unknown;
  /** Read by that part only. */
  of?: Part;
}

const column = (type: string, cellOf: (message: NewMessage) => unknown, of?: Part): Column => ({
  type,
  cellOf,
  ...(of && { of }),
});

/** What the statement reads, one array a column. */
const INPUT: Record<string, Column> = {
  key: column('text', ({ key }) => key, 'keys'),
  key_digest: column('text', ({ keyDigest }) => keyDigest, 'keys'),
  realm_id: column('bigint', ({ sent }) => sent.message.realmId),
  sender_id: column('bigint', ({ sent }) => sent.message.sender?.id),
  channel_id: column('bigint', ({ sent }) => sent.message.channelId),
  sent_version: column('bigint', ({ sent }) => sent.subscriptionVersion),
  topic: column('text', ({ sent }) => sent.message.topic),
  topic_key: column('text', ({ sent }) => topicKey(sent.message.topic)),
  topic_links: column('jsonb', ({ sent }) => jsonOrNull(sent.message.topicLinks)),
  participant_ids: column('text', ({ sent }) => bigints(sent.message.participants.map(({ id }) => id)), 'directs'),
  content: column('text', ({ sent }) => sent.message.content),
  rendered_content: column('text', ({ sent }) => sent.message.renderedContent),
  sent_at_ms: column('bigint', ({ sent }) => sent.message.sentAtMs),
  client_name: column('text', ({ sent }) => sent.message.clientName),
  is_me_message: column('boolean', ({ sent }) => sent.message.isMeMessage),
  is_read_by_sender: column('boolean', ({ sent }) => isReadBySender(sent)),
  read_by_ids: column('text', ({ sent }) => otherReaders(sent)),
  mentioned_ids: column('text', ({ sent }) => bigints(sent.mentionedIds), 'mentions'),
  called_bot_ids: column('text', ({ sent }) => bigints(sent.mentionedBotIds ?? []), 'mentions'),
  mentions_channel: column('boolean', ({ sent }) => sent.mentionsChannel),
  mentions_topic: column('boolean', ({ sent }) => sent.mentionsTopic),
  topic_participant_ids: column('text', ({ sent }) => bigints(sent.topicParticipantIds ?? [])),
  widget: column('text', ({ widget }) => widget && JSON.stringify(widget), 'widgets'),
  policy_on_send: column('smallint', ({ policies }) => policies?.onSend, 'policies'),
  policy_on_initiation: column('smallint', ({ policies }) => policies?.onInitiation),
  seen_versions: column('text', ({ policies }) => policies?.seenVersions, 'policies'),
  follower_ids: column('text', ({ policies }) => bigints(policies?.followerIds ?? []), 'policies'),
  payload_after_ids: column('text', ({ sent }) => serializeAfterIds(sent)),
};

function storeStatement(parts: ReadonlySet<Part>): Store {
  const used = Object.entries(INPUT).filter(([, { of }]) => of === undefined || parts.has(of));
  const parameters = used.map(([, { type }], index) => `$${index + 1}::${type}[]`);
  const text = STORE_TEXT.replaceAll(OPTIONAL, (_, part: Part, needed: string, otherwise = '') =>
    parts.has(part) ? needed : otherwise,
  )
    .replaceAll('<columns/>', used.map(([name]) => name).join(', '))
    .replaceAll('<parameters/>', parameters.join(', '));
  return {
    statement: statement(['store-messages', ...parts].join('-'), text),
    columns: used.map(([, column]) => column),
  };
}

interface Store {
  statement: UncheckedStatement;
  columns: Column[];
}

/** By the names of their parts. */
const stores = new Map<string, Store>();

function storeFor(messages: readonly NewMessage[]): Store {
  const parts = (Object.keys(HAS) as Part[]).filter((part) => messages.some(HAS[part]));
  const name = parts.join();
  const store = stores.get(name) ?? storeStatement(new Set(parts));
  stores.set(name, store);
  return store;
}

export interface Stored {
  messageId: number;
  /** False: this is the first answer to a repeated key. */
  isNew: boolean;
  /** The key is that of another message: nothing was stored. */
  isReused: boolean;
  /** What the sender's policy for the topic has become by sending. */
  newPolicy: number | null;
}

/**
 * SQLSTATE of fail_as_topic_is_new(), which undoes a batch that takes a new topic for a known one. In the statement itself: it is its own
 * transaction, which its caller could not roll back. Tried again, the batch is stored as what it is.
 */
export const TOPIC_IS_NEW = 'TN001';
const MAX_KNOWN_TOPICS = 10_000;
/** Topics that had messages a moment ago: whoever writes there begins none. */
const knownTopics = new Set<string>();

/**
 * Stores messages, all they bring along, and their announcements, in one statement that is its own transaction. May fail with
 * TOPIC_IS_NEW.
 */
export async function storeMessages(sql: Sql, messages: readonly NewMessage[]): Promise<Stored[]> {
  const { statement, columns } = storeFor(messages);
  const values = columns.map(({ cellOf }) => messages.map(cellOf));
  try {
    const stored = await sql.query<Stored>(statement, values);
    if (knownTopics.size > MAX_KNOWN_TOPICS) knownTopics.clear();
    for (const message of messages) knownTopics.add(topicOf(message));
    return stored;
  } catch (error) {
    knownTopics.clear();
    throw error;
  }
}

function mayChangePolicies(message: NewMessage): boolean {
  const { policies } = message;
  if (!policies) return false;
  const { onSend, onInitiation, seenVersions, followerIds } = policies;
  if (typeof onSend === 'number' || followerIds.length > 0) return true;
  return typeof onInitiation === 'number' && (typeof seenVersions === 'string' || !knownTopics.has(topicOf(message)));
}

function topicOf({ sent: { message } }: NewMessage): string {
  return `${message.realmId}/${message.channelId}/${topicKey(message.topic)}`;
}

function isReadBySender({ message, readByIds }: PendingMessageSent): boolean {
  return readByIds.some((id) => id === message.sender?.id);
}

function otherReaders({ message, readByIds, unreadForIds }: PendingMessageSent): string {
  if (unreadForIds) return bigints(readByAllBut(unreadForIds));
  return bigints(readByIds.filter((id) => id !== message.sender?.id));
}

/** Arrays of different lengths cannot be members of an array: they travel as text. */
function bigints(ids: readonly number[]): string {
  return `{${ids.join(',')}}`;
}

function jsonOrNull(list: readonly unknown[]): string | null {
  return list.length > 0 ? JSON.stringify(list) : null;
}
