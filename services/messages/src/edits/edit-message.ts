import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import type { EditMessageRequest, EditMessageResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { findReferences } from '../markdown';
import type { MessageRow } from '../messages/message.sql';
import { loadWidgetFacts } from '../submessages/submessages.sql';
import { type ContentEdit, prepareContent, storeContent } from './edit-content';
import { editEvents } from './edit-events';
import { type Facts, findMessage, loadEditFacts } from './edit-facts';
import type { EditMark } from './edits.sql';
import { drawEditId, type HeldMessage, type HeldTopic, holdOneMessage, holdTopics } from './hold-conversations.sql';
import type { Destination } from './move.sql';
import { destinationOf, type MovingMessage } from './move-messages';
import { moveWithNotices } from './move-with-notices';
import { checkChannelChange, type EditPlan, planEdit } from './plan-edit';
import { ChangedMeanwhile, repeatOnConflict } from './repeat-on-conflict';

/** Changes a message's content, its topic or its channel; with the latter two, the messages that are to go along. */
export function editMessage(ctx: Context, caller: Caller, request: EditMessageRequest): Promise<EditMessageResponse> {
  return repeatOnConflict(async () => {
    const edit = await decide(ctx, caller, request);
    return ctx.db.transaction((tx) => store(tx, edit));
  });
}

/** An edit that is allowed, as far as can be told before anything is held. */
export interface Edit {
  ctx: Context;
  caller: Caller;
  request: EditMessageRequest;
  message: MessageRow;
  facts: Facts;
  plan: EditPlan;
  content: ContentEdit | null;
  /** Who may read the channel that the message goes to; null where that is whoever could read it before. */
  readerIds: ReadonlySet<number> | null;
}

async function decide(ctx: Context, caller: Caller, request: EditMessageRequest): Promise<Edit> {
  const message = await findMessage(ctx, caller, request.messageId);
  const channelIds = [message.channelId, request.channelId].filter((id) => typeof id === 'number');
  const references = findReferences(request.content ?? '');
  const facts = await loadEditFacts(ctx, caller, channelIds, references);
  const { firstContent } = await loadWidgetFacts(ctx.db, caller.realmId, message.id, message.senderId);
  const nowMs = ctx.clock.now();
  const plan = planEdit(request, { message, isWidget: firstContent !== null }, facts, nowMs);
  const content = plan.content === undefined ? null : await prepareContent(ctx, caller, message, plan.content, facts);
  if (plan.channelId !== undefined) checkChannelChange(plan.channelId, message, facts, nowMs);
  const readerIds = await readersOf(ctx, caller, plan, facts);
  return { ctx, caller, request, message, facts, plan, content, readerIds };
}

/** Only moves into private channels ask for a list of people: what these have decided about a topic is not for others to keep. */
async function readersOf(ctx: Context, caller: Caller, { channelId }: EditPlan, { channels }: Facts) {
  const target = channelId === undefined ? undefined : channels.get(channelId)?.send?.channel;
  if (!target?.isPrivate) return null;
  const request = { realmId: caller.realmId, channelId: target.id };
  const { subscribers } = await ctx.services.realm.getSubscribers(caller, request);
  const current = subscribers.filter(({ intervals }) => intervals.some(({ toVersion }) => toVersion === undefined));
  return new Set(current.map(({ userId }) => userId));
}

async function store(tx: Transaction, edit: Edit): Promise<EditMessageResponse> {
  const { ctx, caller, message, content } = edit;
  const held = await holdTopicsOf(tx, edit);
  const mentions = await holdAsDecided(tx, caller.realmId, message);
  const newContent = content?.next.content === message.content ? null : content;
  if (held === null && newContent === null) return { detachedUploads: [] };
  const mark: EditMark = { editId: await drawEditId(tx), actorId: caller.userId, editedAtMs: ctx.clock.now() };
  const moved = held && (await moveWithNotices(tx, edit, held, mark));
  const stored = newContent && (await storeContent(tx, caller.realmId, message, newContent, mark));
  await announce(
    tx,
    ...editEvents({ ...edit, content: newContent, mentions }, mark, held && moved ? { ...held, ...moved } : null),
  );
  await announce(tx, ...(moved?.events ?? []), ...(stored?.events ?? []));
  await moved?.sendNotices();
  return { detachedUploads: stored?.detached ?? [] };
}

export interface HeldMove {
  message: MovingMessage;
  destination: Destination;
  source: HeldTopic;
  target: HeldTopic;
}

async function holdTopicsOf(tx: Transaction, { caller, message, plan, facts }: Edit): Promise<HeldMove | null> {
  if (plan.topic === undefined && plan.channelId === undefined) return null;
  const moving = message as MovingMessage;
  const destination = destinationOf(moving, plan, facts);
  const names = [
    { channelId: moving.channelId, name: moving.topic },
    { channelId: destination.channelId, name: destination.topic },
  ];
  const [source, target] = (await holdTopics(tx, caller.realmId, names)) as [HeldTopic, HeldTopic];
  if (source.isNew) throw new ChangedMeanwhile();
  return { message: moving, destination, source, target };
}

/** What was decided on is still so, and stays so until the transaction ends. */
async function holdAsDecided(tx: Transaction, realmId: number, message: MessageRow): Promise<HeldMessage> {
  const held = await holdOneMessage(tx, realmId, message.id);
  if (held === null) throw new ChangedMeanwhile();
  const isSame =
    held.conversationId === message.conversationId && held.topic === message.topic && held.content === message.content;
  if (!isSame) throw new ChangedMeanwhile();
  return held;
}
