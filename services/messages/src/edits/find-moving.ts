import { ChangedMeanwhile, type Sql } from '@parley/shared/db';
import { mayRead, type Reader } from '../access/permissions';
import { listOneAndNewest, listTopicMessages, NEWEST, type TopicMessageRow } from './move.sql';
import { checkMoveTime, isTooLate } from './permissions';
import type { EditPlan } from './plan-edit';

interface InTopic {
  realmId: number;
  conversationId: number;
  messageId: number;
  reader: Reader;
}

interface Question extends InTopic {
  plan: Pick<EditPlan, 'propagateMode' | 'moveLimitSecs' | 'channelId'>;
  nowMs: number;
}

/** The messages that are to move, ascending. */
interface Moving {
  messages: TopicMessageRow[];
  /** All of the topic, in its channel. */
  isWholeTopic: boolean;
  /** All that the actor can see. */
  isWholeVisibleTopic: boolean;
}

/** Finds the messages of a move; throws if some are too old, or the message has left the topic. */
export async function findMoving(sql: Sql, question: Question): Promise<Moving> {
  const one = question.plan.propagateMode === 'change_one' ? await findOne(sql, question) : null;
  return one ?? findMany(sql, question);
}

/** Reads no more of the topic than is needed; null: all of it is, to say what may be moved. */
async function findOne(sql: Sql, question: Question): Promise<Moving | null> {
  const { plan, reader, nowMs } = question;
  const { message, isAny, isAnyVisible } = await findOthers(sql, question);
  if (message === undefined) throw new ChangedMeanwhile();
  if (!mayRead(message, reader) || isTooLate(message.sentAtMs, plan.moveLimitSecs, nowMs)) return null;
  return {
    messages: [message],
    isWholeTopic: !isAny && plan.channelId === undefined,
    isWholeVisibleTopic: !isAnyVisible,
  };
}

/** The message, and whether there are others, from the newest on, until one is visible. */
async function findOthers(sql: Sql, { realmId, conversationId, messageId, reader }: InTopic) {
  let beforeId = Number.MAX_SAFE_INTEGER;
  for (;;) {
    const rows = await listOneAndNewest(sql, realmId, { conversationId, messageId, beforeId });
    const message = rows.find(({ id }) => id === messageId);
    const others = rows.filter(({ id }) => id !== messageId);
    const isAnyVisible = others.some((row) => mayRead(row, reader));
    const isAny = others.length > 0 || beforeId < Number.MAX_SAFE_INTEGER;
    if (isAnyVisible || others.length < NEWEST) return { message, isAny, isAnyVisible };
    beforeId = (others.at(-1) as TopicMessageRow).id;
  }
}

async function findMany(
  sql: Sql,
  { realmId, conversationId, messageId, plan, reader, nowMs }: Question,
): Promise<Moving> {
  const rows = await listTopicMessages(sql, realmId, conversationId, 0);
  if (!rows.some(({ id }) => id === messageId)) throw new ChangedMeanwhile();
  const visible = rows.filter((row) => mayRead(row, reader));
  const meant = (messages: TopicMessageRow[]) =>
    messages.filter(({ id }) => isMeant(id, messageId, plan.propagateMode));
  checkMoveTime({ moving: meant(visible), visible }, plan.moveLimitSecs, nowMs);
  // Messages that the actor cannot see move only within the channel.
  const messages = meant(plan.channelId === undefined ? rows : visible);
  const movedIds = new Set(messages.map(({ id }) => id));
  return {
    messages,
    isWholeTopic: messages.length === rows.length && plan.channelId === undefined,
    isWholeVisibleTopic: visible.every(({ id }) => movedIds.has(id)),
  };
}

function isMeant(id: number, targetId: number, propagateMode: string): boolean {
  if (propagateMode === 'change_all') return true;
  return propagateMode === 'change_later' ? id >= targetId : id === targetId;
}

/** Whether the reader may see any message of a topic. */
export async function isAnyVisibleIn(sql: Sql, topic: Omit<InTopic, 'messageId'>): Promise<boolean> {
  const { isAnyVisible } = await findOthers(sql, { ...topic, messageId: 0 });
  return isAnyVisible;
}
