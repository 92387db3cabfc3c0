import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { BadEventQueueIdError, BadRequestError, PublicError } from '@parley/shared/errors';
import type { PersonalFlags, PollRequest } from '@parley/shared/proto';
import { fetchSubscribers } from '../audience/relation';
import type { Context } from '../context';
import { recordSeqOf } from '../log/event-id';
import { BEGUN, collect, FLAGGED, type Missing, nextEvents, type Search } from './collect';
import { answerWith } from './delivery-pauses';
import { type PendingPoll, park } from './pending-poll';
import { NO_EVENTS, PollAnswer } from './poll-answer';
import type { Queue } from './queue';

/** Time that an answer with events waits for facts about further ones: ample while realm and messages are reachable. */
const SHORT_TIMEOUT_MS = 250;
/** Time that an empty answer waits for facts: then its client polls again, and proxies see a live connection. */
const FACTS_TIMEOUT_MS = 45_000;
/** An event lacks at most four kinds of facts, and facts may be evicted while others are fetched. More attempts are a bug. */
const MAX_LESSONS = 12;

/** Answers a poll: at once with the events behind its cursor, or, when there are none, as soon as there is one. */
export async function getEvents(ctx: Context, poll: PendingPoll, request: PollRequest): Promise<void> {
  try {
    const queue = await accessQueue(ctx, request);
    poll.cursor = await cursorIn(ctx, queue, request.lastEventId);
    occupy(ctx, queue, poll);
    if (!request.dontBlock) await ctx.pauses.afterAnswer(queue.answeredAtMs);
    await answer(ctx, poll, queue, request.dontBlock);
  } catch (error) {
    if (!poll.isOver) poll.refuse(toPublicError(ctx, error, request.requestId));
  }
}

async function cursorIn(ctx: Context, queue: Queue, lastEventId: number): Promise<number> {
  const seq = recordSeqOf(lastEventId);
  const cursor = Math.max(lastEventId, queue.descriptor.beginsAt);
  // Another pod may have read further than this one.
  if (seq > ctx.window.head) await ctx.eventLog.catchUp();
  // Ids of a lost log are invalid in the new one.
  requireServable(ctx, queue, cursor);
  if (seq > ctx.window.head) throw new BadRequestError(`Event ${lastEventId} was not in this queue`);
  return cursor;
}

/** One poll per queue: an older one, here or on another pod, ends without events. */
function occupy({ pollClaims }: Context, queue: Queue, poll: PendingPoll): void {
  if (poll.isOver) return;
  queue.poll?.answer(NO_EVENTS);
  if (!queue.isPolledHere) pollClaims.claim(queue.descriptor.queueId);
  queue.isPolledHere = true;
  queue.poll = poll;
  poll.queue = queue;
}

async function answer(ctx: Context, poll: PendingPoll, queue: Queue, dontBlock: boolean): Promise<void> {
  const found = new PollAnswer(ctx.counters);
  const search: Search = { queue, found, position: poll.cursor, ownFlags: new Map() };
  let lessons = 0;
  while (!poll.isOver) {
    requireServable(ctx, queue, search.position);
    const { isAtHead, reached, missing } = collect(ctx, search);
    lessons = reached > search.position ? 0 : lessons + 1;
    search.position = reached;
    const isToPark = isAtHead && found.isEmpty && !dontBlock;
    // Load the attention before parking, so that an event can be delivered at once.
    const lacking = isToPark && queue.attention === undefined ? 'attention' : missing;
    // NOTE: nothing may be awaited between reaching the head and parking, or an event could slip by.
    if (found.isFull || (isAtHead && !lacking)) return reply(ctx, poll, queue, found, dontBlock);
    if (!lacking) await nextTurn();
    else if (lessons > MAX_LESSONS) throw stuck(ctx, queue, search.position);
    else if (!(await learn(ctx, poll, search, lacking))) return reply(ctx, poll, queue, found, dontBlock);
  }
}

/** Fetches missing facts. False if that takes long and the answer has events already. */
async function learn(ctx: Context, poll: PendingPoll, search: Search, missing: Missing): Promise<boolean> {
  const fetching = fetchMissing(ctx, search, missing).then(() => true);
  if (search.found.isEmpty) {
    const cancel = ctx.clock.after(FACTS_TIMEOUT_MS, () => poll.answer(NO_EVENTS));
    return fetching.finally(cancel);
  }
  const isLearnt = new AbortController();
  try {
    return await Promise.race([fetching, sleep(SHORT_TIMEOUT_MS, false, { signal: isLearnt.signal })]);
  } finally {
    isLearnt.abort();
  }
}

async function fetchMissing(ctx: Context, search: Search, missing: Missing): Promise<void> {
  const { queue } = search;
  const { realmId, userId } = queue.descriptor;
  if (missing === 'attention') queue.attention = await ctx.attentions.of(queue.descriptor);
  else if (missing === 'flags') {
    const events = nextEvents(ctx, search, FLAGGED);
    const flags = await Promise.all(events.map((entry) => ctx.ownFlags.of(realmId, entry, userId)));
    search.ownFlags = new Map(events.map(({ id }, index) => [id, flags[index] as PersonalFlags]));
  } else if (missing === 'first messages') await ctx.firstMessages.complete(realmId, nextEvents(ctx, search, BEGUN));
  else search.fetched = { audience: missing, subscribers: await fetchSubscribers(ctx, realmId, missing) };
}

/** Avoids an endless loop: the client registers a new queue after the event that this one cannot pass. */
function stuck({ log }: Context, { descriptor }: Queue, position: number): BadEventQueueIdError {
  log.error({ realmId: descriptor.realmId, position }, 'facts for an event are still missing after they were fetched');
  return new BadEventQueueIdError(descriptor.queueId);
}

/** Never a silent gap: a cursor before the start of this log, or of its window, is refused. */
function requireServable(ctx: Context, queue: Queue, position: number): void {
  const { queueId, realmId, epoch } = queue.descriptor;
  const isOpen = !queue.isDeleted && !ctx.endedQueues.has(queue.descriptor);
  const isReached = epoch === ctx.eventLog.epoch && position >= ctx.window.floorOf(realmId);
  if (!isOpen || !isReached) throw new BadEventQueueIdError(queueId);
}

function reply(ctx: Context, poll: PendingPoll, queue: Queue, found: PollAnswer, dontBlock: boolean): void {
  if (found.isEmpty && !dontBlock) {
    park(ctx, poll, queue);
    return;
  }
  if (found.isEmpty) poll.answer(NO_EVENTS);
  else answerWith(ctx, poll, found);
  ctx.queues.keepAlive(queue, ctx.clock.now());
}

function toPublicError(ctx: Context, error: unknown, requestId: string): PublicError {
  if (error instanceof PublicError) return error;
  ctx.log.error({ err: error, requestId }, 'poll failed');
  return new PublicError('INTERNAL_ERROR', 500, 'Internal server error');
}

interface QueueAccess {
  realmId: number;
  userId: number;
  queueId: string;
}

/**
 * The caller's own queue. Throws the same error for a queue that does not exist, has expired, was ended, or belongs to another
 * user.
 */
export async function accessQueue(ctx: Context, { realmId, userId, queueId }: QueueAccess): Promise<Queue> {
  await ctx.eventLog.untilLoaded();
  const queue = await ctx.queues.find(queueId);
  const isOwn = queue?.descriptor.realmId === realmId && queue.descriptor.userId === userId;
  if (!queue || !isOwn || ctx.endedQueues.has(queue.descriptor)) throw new BadEventQueueIdError(queueId);
  return queue;
}
