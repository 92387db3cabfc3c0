import type { Transaction } from '@parley/shared/db';
import type { DomainEvent } from '@parley/shared/events';
import type { Channel } from '@parley/shared/proto';
import { deleteMessages } from '../deletions/delete-messages';
import { storeMessages } from '../messages/store-messages.sql';
import { composeNotice, type Notice } from './compose-notice';
import type { Edit, HeldMove } from './edit-message';
import type { EditMark } from './edits.sql';
import { type Moved, moveMessages } from './move-messages';
import { moveNotices, namedTopic } from './move-notices';
import { moveTopicPolicies } from './move-topic-policies';
import { findUndoneNotice, toggleText } from './resolve-notice';
import type { Toggle } from './resolved-topic';

export interface MoveOutcome {
  moved: Moved;
  /** To be announced after the move itself. */
  events: DomainEvent[];
  /** Stores and announces what the notification bot says of the move: last of all. */
  sendNotices(): Promise<void>;
}

/** Moves messages, and what users have decided about their topic when all of it goes. */
export async function moveWithNotices(
  tx: Transaction,
  edit: Edit,
  held: HeldMove,
  mark: EditMark,
): Promise<MoveOutcome> {
  const { caller, plan, facts, readerIds } = edit;
  const { message, source, target, destination } = held;
  const moved = await moveMessages(tx, { realmId: caller.realmId, plan, facts, mark, ...held });
  const isWholeTopic = plan.propagateMode === 'change_all' || moved.isWholeVisibleTopic;
  const isRenamed = source.id !== target.id;
  const events =
    isWholeTopic && isRenamed
      ? await moveTopicPolicies(tx, {
          realmId: caller.realmId,
          from: { channelId: message.channelId, topic: message.topic },
          to: { channelId: destination.channelId, topic: destination.topic },
          isMerge: !target.isNew,
          readerIds,
          nowMs: mark.editedAtMs,
        })
      : [];
  return { moved, events, sendNotices: () => sendNotices(tx, edit, held, moved, mark) };
}

async function sendNotices(tx: Transaction, edit: Edit, held: HeldMove, moved: Moved, mark: EditMark): Promise<void> {
  const { ctx, request, facts, plan } = edit;
  const from = namedTopic(facts, { channelId: held.message.channelId, topic: held.message.topic });
  const to = namedTopic(facts, held.destination);
  const notices: Notice[] = moveNotices(ctx, request, facts, moved, from, to, plan.toggle);
  if (plan.toggle) {
    if (await takeBackNotice(tx, edit, held, moved, plan.toggle, mark)) return;
    notices.push({ part: plan.toggle, ...to, content: toggleText(plan.toggle, facts.actor), topicMessages: [] });
  }
  if (notices.length === 0) return;
  await storeMessages(
    tx,
    notices.map((notice) => composeNotice(ctx, facts, mark.editId, notice)),
  );
  tx.hasAnnounced = true;
}

/** Whether the notice of the opposite was taken back instead of being answered. */
async function takeBackNotice(
  tx: Transaction,
  { caller, facts }: Edit,
  { source, target, message }: HeldMove,
  { isWholeRow }: Moved,
  toggle: Toggle,
  { editedAtMs }: EditMark,
): Promise<boolean> {
  const conversationId = isWholeRow ? source.id : target.id;
  const noticeId = await findUndoneNotice(tx, facts, conversationId, toggle, editedAtMs);
  if (noticeId === null) return false;
  const channel = facts.channels.get(message.channelId)?.send?.channel as Channel;
  await deleteMessages(tx, {
    realmId: caller.realmId,
    actorIds: [caller.userId],
    messageIds: [noticeId],
    channels: new Map([[channel.id, channel]]),
    nowMs: editedAtMs,
  });
  return true;
}
