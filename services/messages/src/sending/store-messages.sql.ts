import { type Sql, statement } from '@parley/shared/db';
import { topicKey } from '@parley/shared/values';
import { z } from 'zod';
import { type NewMessage, type PendingMessageSent, serializeAfterIds } from '../content/new-message';
import { readByAllBut } from '../read-state/is-read';
import { type Parts, storeText } from './store-text.sql';

/** The messages that have an optional part. */
const HAS: Record<keyof Parts, (message: NewMessage) => boolean> = {
  keys: ({ key }) => key !== null,
  directs: ({ sent }) => sent.message.channelId === undefined,
  mentions: ({ sent }) => sent.mentionedIds.length > 0,
  widgets: ({ widget }) => widget !== null && widget !== undefined,
  policies: (message) => mayChangePolicies(message),
};

interface Column {
  type: string;
  cellOf(message: NewMessage): unknown;
  /** Input of that part only. */
  of?: keyof Parts;
}

const column = (type: string, cellOf: (message: NewMessage) => unknown, of?: keyof Parts): Column => ({
  type,
  cellOf,
  ...(of && { of }),
});

/** The statement's input: one array per column. */
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

const STORED = {
  messageId: z.number(),
  /** False: this is the first answer to a repeated key. */
  isNew: z.boolean(),
  /** The key belongs to another message: nothing was stored. */
  isReused: z.boolean(),
  /** The sender's new policy for the topic. */
  newPolicy: z.number().nullable(),
};

export type Stored = z.infer<z.ZodObject<typeof STORED>>;

function partsOf(messages: readonly NewMessage[]): Parts {
  const entries = Object.entries(HAS).map(([part, isOf]) => [part, messages.some(isOf)]);
  return Object.fromEntries(entries) as Parts;
}

function storeStatement(has: Parts) {
  const columns = Object.entries(INPUT).flatMap(([name, column]) =>
    column.of === undefined || has[column.of] ? [{ name, ...column }] : [],
  );
  return { statement: statement(storeText(has, columns), STORED), columns };
}

/** The statements for batches, by the parts present. */
const stores = new Map<string, ReturnType<typeof storeStatement>>();

function storeFor(messages: readonly NewMessage[]) {
  const has = partsOf(messages);
  const key = Object.values(has).join();
  const store = stores.get(key) ?? storeStatement(has);
  stores.set(key, store);
  return store;
}

/**
 * SQLSTATE of fail_as_topic_is_new(), which rolls back a batch that treats a new topic as a known one. It must be in the
 * statement, which is its own transaction, so its caller could not roll back. The retry treats the topic as new.
 */
export const TOPIC_IS_NEW = 'TN001';
const MAX_KNOWN_TOPICS = 10_000;
/** Topics that had messages a moment ago, so that messages there start none. */
const knownTopics = new Set<string>();

/**
 * Stores messages, all their dependent rows, and their announcements, in one statement that is its own transaction. May fail with
 * TOPIC_IS_NEW.
 */
export async function storeMessages(sql: Sql, messages: readonly NewMessage[]): Promise<Stored[]> {
  const { statement, columns } = storeFor(messages);
  const values = columns.map(({ cellOf }) => messages.map(cellOf));
  try {
    const stored = await sql.query(statement, values);
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

/** Arrays of different lengths cannot be members of an array, so they are sent as text. */
function bigints(ids: readonly number[]): string {
  return `{${ids.join(',')}}`;
}

function jsonOrNull(list: readonly unknown[]): string | null {
  return list.length > 0 ? JSON.stringify(list) : null;
}
