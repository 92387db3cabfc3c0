import type { Message } from '@parley/shared/proto';
import { topicKey } from '@parley/shared/values';
import { isStillReason } from '../base/who-is-notified';
import type { PushRow } from './deliveries.sql';

/** Nobody wants to hear of a message a day later. */
const FRESH_MS = 24 * 60 * 60_000;
/** More conversations at once share one notification. */
const MOST_AT_ONCE = 5;
/** The tag of that notification. */
export const SUMMARY = 'summary';

/** A message with the notification that is to show it. */
export interface PlannedMessage {
  row: PushRow;
  message: Message;
  tag: string;
}

/** A notification as it is to be from now on; without messages it is taken back. */
export interface PlannedNotification {
  tag: string;
  /** Unread ones, oldest first. */
  messages: PlannedMessage[];
  /** A message has come, so the device may make a sound. */
  isNew: boolean;
}

export interface DeliveryPlan {
  notifications: PlannedNotification[];
  /** All messages that the device shows afterwards. */
  shown: PlannedMessage[];
  /** Messages of which the device is no longer to be notified. */
  endedIds: number[];
}

/**
 * What a device is to show, from its pushes and the messages as their reader sees them now: those that were read, deleted or hidden
 * meanwhile are missing or read; an edit may have removed the reason. Notifications that stay as they are are not in the plan.
 */
export function planDelivery(
  rows: readonly PushRow[],
  messages: ReadonlyMap<number, Message>,
  nowMs: number,
): DeliveryPlan {
  const live = rows.flatMap((row) => {
    const message = messages.get(row.messageId);
    const isWanted = message && isReason(row, message) && (row.tag !== null || isFresh(row, nowMs));
    return isWanted ? [{ row, message, tag: tagOf(row, message) }] : [];
  });
  const shown = together(live).sort((a, b) => a.message.id - b.message.id);
  const liveIds = new Set(live.map(({ row }) => row.messageId));
  const ended = rows.filter(({ messageId }) => !liveIds.has(messageId));
  const tags = new Set([...ended.map(({ tag }) => tag), ...shown.flatMap(changedTags)]);
  const notifications = [...tags].flatMap((tag) => {
    if (tag === null) return [];
    const inIt = shown.filter((each) => each.tag === tag);
    return [{ tag, messages: inIt, isNew: inIt.some(({ row }) => row.tag === null) }];
  });
  return { notifications, shown, endedIds: ended.map(({ messageId }) => messageId) };
}

const isReason = ({ trigger }: PushRow, { flags }: Message) => !flags.includes('read') && isStillReason(trigger, flags);

const isFresh = ({ queuedAtMs }: PushRow, nowMs: number) => nowMs - queuedAtMs < FRESH_MS;

/** What is in the notification of many conversations stays there. */
const tagOf = (row: PushRow, message: Message) => (row.tag === SUMMARY ? SUMMARY : tagOfConversation(message));

/** New messages of many conversations go into one notification. */
function together(live: readonly PlannedMessage[]): PlannedMessage[] {
  const isNew = ({ row }: PlannedMessage) => row.tag === null;
  const tags = new Set(live.filter(isNew).map(({ tag }) => tag));
  if (tags.size <= MOST_AT_ONCE) return [...live];
  return live.map((each) => (isNew(each) ? { ...each, tag: SUMMARY } : each));
}

/** New and moved messages change the notification where they are now, and the one where they were. */
function changedTags({ row, tag }: PlannedMessage): (string | null)[] {
  return row.tag === tag ? [] : [tag, row.tag];
}

/** Names a conversation; the web client computes the same. */
export function tagOfConversation({ channelId, topic, participants }: Message): string {
  if (channelId !== undefined) return `channel/${channelId}/${topicKey(topic)}`;
  return `dm/${participants.map(({ id }) => id).join(',')}`;
}
