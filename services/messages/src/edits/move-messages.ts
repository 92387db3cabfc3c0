import type { Transaction } from '@parley/shared/db';
import { topicLinks } from '@parley/shared/markdown';
import type { Channel } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { type LockedTopic, settleTopics } from '../conversations/lock-conversations.sql';
import type { LoadedEditFacts } from '../messages/edit-facts';
import { type EditMark, insertMessageEdits } from '../messages/edits.sql';
import type { MessageRow } from '../messages/message.sql';
import type { Star } from '../messages/personal-flags';
import { slicesOf } from '../messages/slices';
import { moveReadState } from '../read-state/move-read-state.sql';
import {
  forgetPersonalFlags,
  listFlagHolders,
  listHistoricalHolders,
  showHiddenStars,
} from '../read-state/personal-flags.sql';
import { checkNewTopic as checkCreation } from '../sending/send-permissions';
import { findMoving, isAnyVisibleIn } from './find-moving';
import { type Destination, joinTopic, limitStatements, renameTopic, type TopicMessageRow } from './move.sql';
import { checkCount, MoveTime, SLICE, statementLimitMs } from './move-time';
import type { EditPlan } from './plan-edit';

export type MovingMessage = MessageRow & { channelId: number };

interface Move {
  caller: Caller;
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
  const { message, plan, facts, source, target, mark, caller } = move;
  const { realmId } = caller;
  const { messages, isWholeTopic, isWholeVisibleTopic } = await findMoving(tx, {
    ...{ realmId, conversationId: source.id, messageId: message.id },
    ...{ plan, reader: facts.reader, nowMs: mark.editedAtMs },
  });
  const hadVisibleTarget = await isAnyVisible(tx, move);
  checkNewTopic(move);
  checkCount(messages.length);
  const isWholeRow = isWholeTopic && (target.isNew || target.id === source.id);
  const messageIds = messages.map(({ id }) => id);
  const holderIds = await (isWholeRow ? renameWhole : moveMessagesAlone)(tx, move, messageIds);
  const stars = await moveFlags(tx, move, messageIds);
  return { messages, isWholeVisibleTopic, hadVisibleTarget, isWholeRow, holderIds, ...stars };
}

/** A topic begins with its first message, also a moved one; resolving begins no topic. */
function checkNewTopic({ plan, facts, target, destination }: Move): void {
  if (!target.isNew || plan.toggle !== null) return;
  checkCreation(facts.channels.get(destination.channelId)?.send?.mayCreateTopics === true, false);
}

async function isAnyVisible(tx: Transaction, { caller, facts, source, target, destination }: Move): Promise<boolean> {
  if (target.isNew || target.id === source.id) return false;
  if (facts.reader.channels.get(destination.channelId)?.mayReadHistory) return true;
  const { realmId } = caller;
  return isAnyVisibleIn(tx, { realmId, conversationId: target.id, reader: facts.reader });
}

/** Renaming the topic's row changes no messages, except those with their own casing of the name. */
async function renameWhole(
  tx: Transaction,
  { caller, message, source, target, destination, mark }: Move,
  messageIds: readonly number[],
): Promise<number[]> {
  const rename = { source, targetId: target.id, from: message.topic, to: destination };
  return renameTopic(tx, caller.realmId, rename, messageIds, mark);
}

async function moveMessagesAlone(tx: Transaction, move: Move, messageIds: readonly number[]): Promise<number[]> {
  const { caller, source, target, destination } = move;
  const { realmId } = caller;
  const time = new MoveTime(caller, messageIds.length);
  if (messageIds.length > SLICE) await limitStatements(tx, statementLimitMs(caller));
  const from = { conversationId: source.id, channelId: source.channelId };
  const to = { conversationId: target.id, channelId: destination.channelId };
  if (source.id !== target.id) await moveReadState(tx, { realmId, messageIds, from, to });
  for (const [index, ids] of slicesOf(messageIds, SLICE).entries()) {
    if (messageIds.length > SLICE) time.check(index * SLICE);
    await moveSlice(tx, move, ids);
  }
  if (source.id !== target.id) await settleTopics(tx, realmId, [source.id, target.id]);
  // NOTE: after the move has locked the messages, so that no star is missed.
  return listHistoricalHolders(tx, realmId, messageIds);
}

/** Writes the messages, and the edit to their histories. */
async function moveSlice(tx: Transaction, move: Move, messageIds: readonly number[]): Promise<void> {
  const { caller, message, source, target, destination, mark, plan } = move;
  const { realmId } = caller;
  await joinTopic(tx, realmId, messageIds, { source, target, isNamed: plan.topic !== undefined }, destination);
  const change = {
    ...(plan.topic === undefined ? {} : { prevTopic: message.topic, topic: plan.topic }),
    ...(plan.channelId === undefined ? {} : { prevChannelId: message.channelId, channelId: plan.channelId }),
  };
  const conversations = source.id === target.id ? null : { from: source.id, to: target.id };
  await insertMessageEdits(tx, realmId, messageIds, mark, change, conversations);
}

/** Deletes the flags of users who lose access to the messages. */
async function moveFlags(
  tx: Transaction,
  { caller: { realmId }, mayFollow, source, destination }: Move,
  messageIds: readonly number[],
): Promise<Pick<Moved, 'lostStars' | 'shownStars'>> {
  if (source.channelId === destination.channelId) return { lostStars: [], shownStars: [] };
  const holderIds = await listFlagHolders(tx, realmId, messageIds);
  const loserIds = holderIds.filter((userId) => !mayFollow(userId));
  const lostStars = loserIds.length > 0 ? await forgetPersonalFlags(tx, realmId, messageIds, loserIds) : [];
  const isAnyKept = loserIds.length < holderIds.length;
  return { lostStars, shownStars: isAnyKept ? await showHiddenStars(tx, realmId, messageIds) : [] };
}
