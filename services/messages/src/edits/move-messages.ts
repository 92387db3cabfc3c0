import { ChangedMeanwhile, type Transaction } from '@parley/shared/db';
import { topicLinks } from '@parley/shared/markdown';
import type { Channel } from '@parley/shared/proto';
import { mayRead } from '../access/permissions';
import { type LockedTopic, settleTopics } from '../conversations/lock-conversations.sql';
import type { LoadedEditFacts } from '../messages/edit-facts';
import { type EditMark, insertMessageEdits } from '../messages/edits.sql';
import type { MessageRow } from '../messages/message.sql';
import type { Star } from '../messages/personal-flags';
import { moveReadState } from '../read-state/move-read-state.sql';
import {
  forgetPersonalFlags,
  listFlagHolders,
  listHistoricalHolders,
  showHiddenStars,
} from '../read-state/personal-flags.sql';
import { checkNewTopic as checkCreation } from '../sending/send-permissions';
import { type Destination, joinTopic, listTopicMessages, renameTopic, type TopicMessageRow } from './move.sql';
import { checkMoveTime } from './permissions';
import type { EditPlan } from './plan-edit';

export type MovingMessage = MessageRow & { channelId: number };

interface Move {
  realmId: number;
  message: MovingMessage;
  plan: EditPlan;
  facts: LoadedEditFacts;
  destination: Destination;
  /** Both topics are locked. */
  source: LockedTopic;
  target: LockedTopic;
  mark: EditMark;
  /** Whether a user who could read the messages may read them at their destination. */
  mayFollow(userId: number): boolean;
}

export interface Moved {
  messages: TopicMessageRow[];
  isWholeVisibleTopic: boolean;
  /** The actor could see messages in the destination before. */
  hadVisibleTarget: boolean;
  /** The topic's row itself was renamed. */
  isWholeRow: boolean;
  /** Users with flags on any of the messages who did not receive it. */
  holderIds: number[];
  /** Stars of users who lose access to the messages. */
  lostStars: readonly Star[];
  /** Hidden stars of users who may read the messages at their destination. */
  shownStars: readonly Star[];
}

/** The planned destination: its topic and channel, or else the current ones. */
export function destinationOf(message: MovingMessage, plan: EditPlan, facts: LoadedEditFacts): Destination {
  const channelId = plan.channelId ?? message.channelId;
  const topic = plan.topic ?? message.topic;
  const channel = facts.channels.get(channelId)?.channel as Channel;
  const links = topicLinks(topic, { linkifiers: facts.send.linkifiers });
  return { channelId, topic, topicLinks: links, version: channel.subscriptionVersion };
}

/** Moves a message, or also those after it or its whole topic; throws if the actor may not move all of them. */
export async function moveMessages(tx: Transaction, move: Move): Promise<Moved> {
  const { realmId, message, plan, facts, source, target } = move;
  const rows = await listTopicMessages(tx, realmId, source.id, 0);
  if (!rows.some(({ id }) => id === message.id)) throw new ChangedMeanwhile();
  const visible = rows.filter((row) => mayRead(row, facts.reader));
  const meant = (messages: TopicMessageRow[]) =>
    messages.filter(({ id }) => isMeant(id, message.id, plan.propagateMode));
  checkMoveTime({ moving: meant(visible), visible }, plan.moveLimitSecs, move.mark.editedAtMs);
  const hadVisibleTarget = await isAnyVisible(tx, move);
  checkNewTopic(move);
  // Messages that the actor cannot see move only within the channel.
  const messages = meant(plan.channelId === undefined ? rows : visible);
  const isWholeTopic = messages.length === rows.length && plan.channelId === undefined;
  const isWholeRow = isWholeTopic && (target.isNew || target.id === source.id);
  const movedIds = new Set(messages.map(({ id }) => id));
  const holderIds = await (isWholeRow ? renameWhole : moveMessagesAlone)(tx, move, [...movedIds]);
  const isWholeVisibleTopic = visible.every(({ id }) => movedIds.has(id));
  const stars = await moveFlags(tx, move, [...movedIds]);
  return { messages, isWholeVisibleTopic, hadVisibleTarget, isWholeRow, holderIds, ...stars };
}

function isMeant(id: number, targetId: number, propagateMode: string): boolean {
  if (propagateMode === 'change_all') return true;
  return propagateMode === 'change_later' ? id >= targetId : id === targetId;
}

/** A topic begins with its first message, also a moved one; resolving begins no topic. */
function checkNewTopic({ plan, facts, target, destination }: Move): void {
  if (!target.isNew || plan.toggle !== null) return;
  checkCreation(facts.channels.get(destination.channelId)?.send?.mayCreateTopics === true, false);
}

async function isAnyVisible(tx: Transaction, { realmId, facts, source, target, destination }: Move): Promise<boolean> {
  if (target.isNew || target.id === source.id) return false;
  if (facts.reader.channels.get(destination.channelId)?.mayReadHistory) return true;
  const rows = await listTopicMessages(tx, realmId, target.id, 0);
  return rows.some((row) => mayRead(row, facts.reader));
}

/** Renaming the topic's row changes no messages, except those with their own casing of the name. */
async function renameWhole(
  tx: Transaction,
  { realmId, message, source, target, destination, mark }: Move,
  messageIds: readonly number[],
): Promise<number[]> {
  const rename = { source, targetId: target.id, from: message.topic, to: destination };
  return renameTopic(tx, realmId, rename, messageIds, mark);
}

async function moveMessagesAlone(tx: Transaction, move: Move, messageIds: readonly number[]): Promise<number[]> {
  const { realmId, message, source, target, destination, mark, plan } = move;
  const from = { conversationId: source.id, channelId: source.channelId };
  const to = { conversationId: target.id, channelId: destination.channelId };
  if (source.id !== target.id) await moveReadState(tx, { realmId, messageIds, from, to });
  const isNamed = plan.topic !== undefined;
  await joinTopic(tx, realmId, messageIds, { source, target, isNamed }, destination);
  const change = {
    ...(plan.topic === undefined ? {} : { prevTopic: message.topic, topic: plan.topic }),
    ...(plan.channelId === undefined ? {} : { prevChannelId: message.channelId, channelId: plan.channelId }),
  };
  const conversations = source.id === target.id ? null : { from: source.id, to: target.id };
  await insertMessageEdits(tx, realmId, messageIds, mark, change, conversations);
  if (conversations) await settleTopics(tx, realmId, [source.id, target.id]);
  // NOTE: after the move has locked the messages, so that no star is missed.
  return listHistoricalHolders(tx, realmId, messageIds);
}

/** Deletes the flags of users who lose access to the messages. */
async function moveFlags(
  tx: Transaction,
  { realmId, mayFollow, source, destination }: Move,
  messageIds: readonly number[],
): Promise<Pick<Moved, 'lostStars' | 'shownStars'>> {
  if (source.channelId === destination.channelId) return { lostStars: [], shownStars: [] };
  const holderIds = await listFlagHolders(tx, realmId, messageIds);
  const loserIds = holderIds.filter((userId) => !mayFollow(userId));
  const lostStars = loserIds.length > 0 ? await forgetPersonalFlags(tx, realmId, messageIds, loserIds) : [];
  const isAnyKept = loserIds.length < holderIds.length;
  return { lostStars, shownStars: isAnyKept ? await showHiddenStars(tx, realmId, messageIds) : [] };
}
