// How messages change. An edit is decided on facts from one call (GetEditFacts). New content and its announcement are stored by one statement, which does
// nothing when the message is no longer what was decided on (content-edit.sql.ts). Moves, deletions and content that links to files are stored
// under locks, always in one order (conversations/lock-conversations.sql.ts). After a conflict the edit is decided again (repeatOnConflict).
//
// A whole topic that gets a free name changes its own row only, and one row of topic_edit covers all its messages; other moves give messages another
// conversation and a row of message_edit each. A history combines a message's own edits with those of the topics it was in
// (messages/get-message-history.ts); of its time in a channel that the reader may not read, only who moved it out, and when, is shown.
//
// A move of many messages is written in slices of one transaction. If the time of its request will not suffice, it is undone and refused
// (move-time.ts), and whoever repeats one that took place is told that there is nothing to change.
//
// sent_channel_id and sent_version never change. Subscribers of the channel a message was moved to (moved_version) may read it there. Users who may not
// read that channel no longer have the message; where history is protected, joining later does not give it back, and their stars and topic policies go.
//
// Events about messages go to the channel's current subscribers, and to users who received the messages, or have a star or a reaction on them,
// if they may read the channel (messages/edit-audiences.ts). Read state and topic policies move along. The notification bot's notices of a
// move are stored in the same transaction. Tests assert the cost (dev-env/test/messages/edit-budget.test.ts).

import { announce } from '@parley/shared/bus';
import { ChangedMeanwhile, repeatOnConflict, type Transaction } from '@parley/shared/db';
import { findReferences } from '@parley/shared/markdown';
import type { EditMessageRequest, EditMessageResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { topicKey } from '@parley/shared/values';
import { channelsOf } from '../access/load-reader';
import { withOutsiders } from '../channels/outsiders';
import type { Context } from '../context';
import {
  type LockedMessage,
  type LockedTopic,
  lockOneMessage,
  lockTopics,
} from '../conversations/lock-conversations.sql';
import { type EditQuestion, invalidMessage, type LoadedEditFacts, loadEditFacts } from '../messages/edit-facts';
import type { EditMark } from '../messages/edits.sql';
import type { MessageRow } from '../messages/message.sql';
import { toggleOf } from '../messages/resolved-topic';
import { listHoldersIn } from '../read-state/personal-flags.sql';
import { type EditedMessageRow, loadEditedMessage } from './content-edit.sql';
import { type ContentEdit, isMereContent, prepareContent, replaceContent, storeContent } from './edit-content';
import { editEvents } from './edit-events';
import type { Destination } from './move.sql';
import { destinationOf, type MovingMessage } from './move-messages';
import { orTooMany, requireTimeToCommit } from './move-time';
import { followersOf } from './move-topic-policies';
import { moveWithNotices } from './move-with-notices';
import { checkChannelChange, type EditPlan, planEdit } from './plan-edit';

/** Changes a message's content, its topic or its channel; for the latter two also other messages of the topic, if requested. */
export function editMessage(ctx: Context, caller: Caller, request: EditMessageRequest): Promise<EditMessageResponse> {
  return repeatOnConflict(caller.realmId, async () => {
    const edit = await decide(ctx, caller, request);
    const answer = isMereContent(edit)
      ? await replaceContent(edit)
      : await orTooMany(ctx.db.transaction((tx) => store(tx, edit)));
    const { realmId, userId: senderId } = caller;
    const { messageId } = request;
    ctx.lateCards.want({ realmId, senderId, messageId, urls: edit.content?.cardUrls ?? [] });
    return answer;
  });
}

/** An edit that passes the checks without locks. */
export interface Edit {
  ctx: Context;
  caller: Caller;
  request: EditMessageRequest;
  message: EditedMessageRow;
  facts: LoadedEditFacts;
  plan: EditPlan;
  content: ContentEdit | null;
  /** Whether a user who could read the message may read it at its destination. */
  mayFollow(userId: number): boolean;
}

async function decide(ctx: Context, caller: Caller, request: EditMessageRequest): Promise<Edit> {
  const message = await loadEditedMessage(ctx.db, caller.realmId, request.messageId, caller.userId);
  if (!message) throw invalidMessage();
  const known = await loadEditFacts(ctx, caller, questionOf(request, message));
  const facts = await withOutsidersOfEdit(ctx, caller, request, message, known);
  const nowMs = ctx.clock.now();
  const plan = planEdit(request, message, facts, nowMs);
  const content = plan.content === undefined ? null : await prepareContent(ctx, caller, message, plan.content, facts);
  if (plan.channelId !== undefined) checkChannelChange(plan.channelId, message, facts);
  const mayFollow = await followersOf(ctx, caller, message, plan, facts);
  return { ctx, caller, request, message, facts, plan, content, mayFollow };
}

/** Adds the outsiders of the message's private channel: a move may concern the whole topic. */
async function withOutsidersOfEdit(
  ctx: Context,
  { realmId }: Caller,
  request: EditMessageRequest,
  message: EditedMessageRow,
  facts: LoadedEditFacts,
): Promise<LoadedEditFacts> {
  const known = message.channelId === null ? undefined : facts.channels.get(message.channelId);
  if (!known?.channel?.isPrivate) return facts;
  const { channelId = known.channel.id, topic = message.topic } = request;
  const target = { channelId, key: topicKey(topic.trim()) };
  const holderIds = isMove(request)
    ? await listHoldersIn(ctx.db, realmId, message.conversationId, target)
    : message.holderIds;
  const [channel = known.channel] = await withOutsiders(ctx, realmId, [known.channel], holderIds);
  return { ...facts, channels: new Map([...facts.channels, [channel.id, { ...known, channel }]]) };
}

function isMove({ topic, channelId }: EditMessageRequest): boolean {
  return topic !== undefined || channelId !== undefined;
}

/** Other messages of the topic are needed for moves only. */
function questionOf(request: EditMessageRequest, message: MessageRow): EditQuestion {
  const { topic, channelId, content = '' } = request;
  const toggle = topic === undefined ? null : toggleOf(message.topic, topic.trim());
  return {
    channelIds: [message.channelId, channelId].filter((id) => typeof id === 'number'),
    ...(!isMove(request) && { readChannels: channelsOf([message]) }),
    references: findReferences(content),
    withNoticeChoices: toggle !== null && channelId === undefined,
    isContentOnly: !isMove(request),
  };
}

async function store(tx: Transaction, edit: Edit): Promise<EditMessageResponse> {
  const { ctx, caller, message, content } = edit;
  const move = await lockTopicsOf(tx, edit);
  const locked = await lockAsDecided(tx, caller.realmId, message, move);
  const newContent = content?.next.content === message.content ? null : content;
  if (move === null && newContent === null) return { detachedUploads: [] };
  const mark: EditMark = { editId: locked.editId, actorId: caller.userId, editedAtMs: ctx.clock.now() };
  const moved = move && (await moveWithNotices(tx, edit, { ...move, locked }, mark));
  const stored = newContent && (await storeContent(tx, edit, newContent, mark));
  const outcome = move && moved ? { ...move, ...moved } : null;
  const events = editEvents({ ...edit, content: newContent, mentions: locked }, mark, outcome);
  await announce(tx, ...events, ...(moved?.events ?? []), ...(stored?.events ?? []));
  await moved?.sendNotices();
  if (moved) requireTimeToCommit(caller, moved.moved.messages.length);
  return { detachedUploads: stored?.detached ?? [] };
}

/** The move to another topic, or to another casing of its name. */
export interface MoveBetween {
  message: MovingMessage;
  destination: Destination;
  source: LockedTopic;
  target: LockedTopic;
}

export interface LockedMove extends MoveBetween {
  locked: LockedMessage;
}

async function lockTopicsOf(tx: Transaction, { caller, message, plan, facts }: Edit): Promise<MoveBetween | null> {
  if (plan.topic === undefined && plan.channelId === undefined) return null;
  const moving = message as MovingMessage;
  const destination = destinationOf(moving, plan, facts);
  const names = [
    { channelId: moving.channelId, name: moving.topic },
    { channelId: destination.channelId, name: destination.topic },
  ];
  const [source, target] = (await lockTopics(tx, caller.realmId, names)) as [LockedTopic, LockedTopic];
  if (source.isNew) throw new ChangedMeanwhile();
  return { message: moving, destination, source, target };
}

/** Locks the messages until the transaction ends; throws if they have changed since the decision. */
async function lockAsDecided(
  tx: Transaction,
  realmId: number,
  message: EditedMessageRow,
  move: MoveBetween | null,
): Promise<LockedMessage> {
  const topics = move && move.source.id !== move.target.id ? [move.source, move.target] : [];
  const locked = await lockOneMessage(tx, realmId, message.id, topics);
  if (locked === null) throw new ChangedMeanwhile();
  const isSame =
    locked.conversationId === message.conversationId &&
    locked.topic === message.topic &&
    locked.content === message.content;
  // A move loads the holders of all its messages later.
  const hasSameAudience = move !== null || locked.holderIds.join() === message.holderIds.join();
  if (!isSame || !hasSameAudience) throw new ChangedMeanwhile();
  return locked;
}
