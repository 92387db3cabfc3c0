import type { Transaction } from '@parley/shared/db';
import { channelBeginningChanged, type DomainEvent } from '@parley/shared/events';
import type { Channel } from '@parley/shared/proto';
import { listBeginnings } from '../channels/channel-activity.sql';
import { deleteMessages } from '../deletions/delete-messages';
import type { EditMark } from '../messages/edits.sql';
import type { Toggle } from '../messages/resolved-topic';
import { storeMessages } from '../sending/store-messages.sql';
import type { Edit, LockedMove } from './edit-message';
import { type Moved, moveMessages } from './move-messages';
import {
  composeNotice,
  isUndoneBy,
  moveNotices,
  type Notice,
  namedTopic,
  toggleText,
  unreadForIds,
} from './move-notices';
import { moveTopicPolicies, policyAfterMove } from './move-topic-policies';

export interface MoveOutcome {
  moved: Moved;
  /** To be announced after the move itself. */
  events: DomainEvent[];
  /** Stores and announces the notification bot's notices of the move: last of all. */
  sendNotices(): Promise<void>;
}

/** Moves messages and, for a whole topic, users' policies for it. */
export async function moveWithNotices(
  tx: Transaction,
  edit: Edit,
  move: LockedMove,
  mark: EditMark,
): Promise<MoveOutcome> {
  const { caller, plan, facts, mayFollow } = edit;
  const moved = await moveMessages(tx, { caller, plan, facts, mark, mayFollow, ...move });
  const policyEvents = takesPoliciesAlong(edit, move, moved) ? await movePolicies(tx, edit, move, mark) : [];
  const beginnings = await beginningsAfterMove(tx, {
    realmId: caller.realmId,
    fromChannelId: move.message.channelId,
    toChannelId: move.destination.channelId,
    firstMovedId: moved.messages[0]?.id ?? move.message.id,
  });
  return {
    moved,
    events: [...policyEvents, ...beginnings],
    sendNotices: () => sendNotices(tx, edit, move, moved, mark),
  };
}

function takesPoliciesAlong({ plan }: Edit, { source, target }: LockedMove, { isWholeVisibleTopic }: Moved): boolean {
  return source.id !== target.id && (plan.propagateMode === 'change_all' || isWholeVisibleTopic);
}

function movePolicies(
  tx: Transaction,
  { caller, mayFollow }: Edit,
  { message, target, destination, locked }: LockedMove,
  { editedAtMs }: EditMark,
): Promise<DomainEvent[]> {
  return moveTopicPolicies(tx, {
    realmId: caller.realmId,
    from: { channelId: message.channelId, topic: message.topic },
    to: { channelId: destination.channelId, topic: destination.topic },
    policies: locked.policies,
    isMerge: !target.isNew,
    mayFollow,
    nowMs: editedAtMs,
  });
}

async function sendNotices(tx: Transaction, edit: Edit, move: LockedMove, moved: Moved, mark: EditMark): Promise<void> {
  const { ctx, request, facts, plan } = edit;
  const from = namedTopic(facts, { channelId: move.message.channelId, topic: move.message.topic });
  const to = namedTopic(facts, move.destination);
  const notices: Notice[] = moveNotices(ctx, request, facts, moved, from, to, plan.toggle);
  const isToggleAlone = plan.content === undefined;
  if (plan.toggle && isToggleAlone && !(await deleteOppositeNotice(tx, edit, move, moved, plan.toggle, mark))) {
    const content = toggleText(plan.toggle, facts.actor);
    notices.push({ part: plan.toggle, ...to, content, topicMessages: [], unreadForIds: notReadIds(edit, move, moved) });
  }
  if (notices.length === 0) return;
  await storeMessages(
    tx,
    notices.map((notice) => composeNotice(ctx, facts, mark.editId, notice)),
  );
  tx.hasAnnounced = true;
}

/** By the users' settings, and their policies for the topic at its new place. */
function notReadIds(edit: Edit, move: LockedMove, moved: Moved): number[] {
  const { locked, target } = move;
  const isMoved = takesPoliciesAlong(edit, move, moved);
  const policies = locked.policies.map((pair) => ({
    userId: pair.userId,
    policy: isMoved ? policyAfterMove(pair, !target.isNew) : pair.to,
  }));
  return unreadForIds(edit.facts.noticeChoices, policies, edit.caller.userId);
}

/** Whether the opposite notice was deleted instead. */
async function deleteOppositeNotice(
  tx: Transaction,
  { caller, facts }: Edit,
  move: LockedMove,
  moved: Moved,
  toggle: Toggle,
  { editedAtMs }: EditMark,
): Promise<boolean> {
  const newest = newestAfter(move, moved);
  if (!isUndoneBy(newest, toggle, facts.notificationBot?.id, editedAtMs)) return false;
  const channel = facts.channels.get(move.message.channelId)?.channel as Channel;
  await deleteMessages(tx, {
    realmId: caller.realmId,
    actorIds: [caller.userId],
    messageIds: [newest.id],
    channels: new Map([[channel.id, channel]]),
    nowMs: editedAtMs,
  });
  return true;
}

/** The last message of the topic, at its new place. */
function newestAfter({ locked, message, target }: LockedMove, { messages }: Moved) {
  const lastMovedId = messages.at(-1)?.id;
  const lastMoved = locked.newest.find(({ id }) => id === lastMovedId) ?? message;
  const ofTarget = locked.newest.find(({ conversationId }) => conversationId === target.id);
  return ofTarget && ofTarget.id > lastMoved.id ? ofTarget : lastMoved;
}

interface MoveBetweenChannels {
  realmId: number;
  fromChannelId: number;
  toChannelId: number;
  /** The first of those that were moved. */
  firstMovedId: number;
}

/**
 * After a move: the source has a new first message if all earlier ones have left; the destination if one that was moved is the
 * first.
 */
async function beginningsAfterMove(
  tx: Transaction,
  { realmId, fromChannelId, toChannelId, firstMovedId }: MoveBetweenChannels,
): Promise<DomainEvent[]> {
  if (fromChannelId === toChannelId) return [];
  const beginnings = await listBeginnings(tx, realmId, [fromChannelId, toChannelId]);
  const changed = beginnings.filter(({ firstMessageId }) => firstMessageId === null || firstMessageId >= firstMovedId);
  return changed.map(({ channelId, firstMessageId }) =>
    channelBeginningChanged(realmId, {
      ...{ channel: { id: channelId, name: '' }, firstMessageId },
      audience: { to: 'users', userIds: [] },
    }),
  );
}
