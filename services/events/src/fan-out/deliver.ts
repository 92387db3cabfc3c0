import { setImmediate as nextTurn } from 'node:timers/promises';
import { type MessageSent, messageSent } from '@parley/shared/events';
import { Durations } from '@parley/shared/observability';
import type { PersonalFlags } from '@parley/shared/proto';
import type { ChannelSubscribers } from '../audience/channel-subscribers';
import { fetchSubscribers, flagsOnCopy } from '../audience/relation';
import type { KnownSubscribers, Relation, ResolvedAudience } from '../audience/resolved-audience';
import type { Context } from '../context';
import type { LogEntry } from '../log/log-entry';
import type { WindowRecord } from '../log/window-record';
import { answerWith } from '../queues/delivery-pauses';
import type { PendingPoll } from '../queues/pending-poll';
import { isOffered, personalMembers, viewOf } from '../queues/personal-members';
import { PollAnswer, SharedAnswers } from '../queues/poll-answer';
import type { Queue } from '../queues/queue';
import type { ParkedPolls } from './parked-polls';

/** Number of replies written in one go; more would delay other clients. */
const REPLIES_AT_ONCE = 300;

/** Ends an organization's parked polls that get events from a record. */
export async function deliver(ctx: Context, parked: ParkedPolls, record: WindowRecord): Promise<void> {
  const answers = new Map<PendingPoll, PollAnswer>();
  for (const parts of togetherIn(record)) await offer(ctx, parked, record.realmId, parts, answers);
  const shared = new SharedAnswers();
  let written = 0;
  for (const [poll, answer] of answers) {
    answerWith(ctx, poll, answer, shared);
    written += 1;
    if (written % REPLIES_AT_ONCE === 0) await nextTurn();
  }
  if (written > 0) noteDelivery(record, ctx.clock.now());
}

/** An event alone, or all parts of one: these have the same receivers. */
type Parts = readonly [LogEntry, ...LogEntry[]];

function* togetherIn({ entries }: WindowRecord): Generator<Parts> {
  let parts: [LogEntry, ...LogEntry[]] | undefined;
  for (const entry of entries) {
    if (parts && entry.shape.parts && entry.shape === parts[0].shape && entry.audience === parts[0].audience) {
      parts.push(entry);
    } else {
      if (parts) yield parts;
      parts = [entry];
    }
  }
  if (parts) yield parts;
}

async function offer(
  ctx: Context,
  parked: ParkedPolls,
  realmId: number,
  parts: Parts,
  answers: Map<PendingPoll, PollAnswer>,
): Promise<void> {
  const [entry] = parts;
  const { audience } = entry;
  const isOfChannels = audience.channels.length > 0;
  const subscribers = isOfChannels ? await fetchSubscribers(ctx, realmId, audience) : undefined;
  const ownFlags = await ownFlagsOf(ctx, parked, realmId, entry, subscribers);
  if (entry.lacksFirstMessages && receiverIds(parked, entry, subscribers).size > 0)
    await ctx.firstMessages.complete(realmId, [entry]);
  visitReceivers(parked, audience, subscribers, (polls, relation) =>
    addTo(answers, ctx, polls, parts, relation, ownFlags && { ownFlags, subscribers }),
  );
}

type OwnFlagsByUser = ReadonlyMap<number, PersonalFlags>;

/** The receivers' own flags on the event's message; undefined when the event does not need them. */
async function ownFlagsOf(
  { ownFlags }: Context,
  parked: ParkedPolls,
  realmId: number,
  entry: LogEntry,
  subscribers: KnownSubscribers,
): Promise<OwnFlagsByUser | undefined> {
  if (entry.flaggedMessageId === undefined) return undefined;
  return ownFlags.ofAll(realmId, entry, receiverIds(parked, entry, subscribers));
}

/** The users with parked polls who get the event. */
function receiverIds(parked: ParkedPolls, entry: LogEntry, subscribers: KnownSubscribers): Set<number> {
  const userIds = new Set<number>();
  visitReceivers(parked, entry.audience, subscribers, (polls, relation) => {
    for (const poll of polls) {
      const queue = poll.queue as Queue;
      if (entry.id > poll.cursor && isOffered(queue, entry, relation)) userIds.add(queue.descriptor.userId);
    }
  });
  return userIds;
}

function visitReceivers(
  parked: ParkedPolls,
  audience: ResolvedAudience,
  subscribers: KnownSubscribers,
  visit: (polls: Iterable<PendingPoll>, relation: Relation) => void,
): void {
  for (const userId of audience.candidates(parked, subscribers)) {
    const relation = audience.relationOf(userId, subscribers);
    if (relation !== undefined && relation !== 'listener' && relation !== 'stranger')
      visit(parked.of(userId), relation);
  }
  if (subscribers) visit(listeners(parked, audience, subscribers), 'listener');
}

function* listeners(
  parked: ParkedPolls,
  audience: ResolvedAudience,
  subscribers: readonly ChannelSubscribers[],
): Generator<PendingPoll> {
  for (const poll of parked.wide())
    if (audience.relationOf((poll.queue as Queue).descriptor.userId, subscribers) === 'listener') yield poll;
}

/** For an event whose receivers have their own flags on its message. */
interface Flagged {
  ownFlags: OwnFlagsByUser;
  subscribers: KnownSubscribers;
}

function addTo(
  answers: Map<PendingPoll, PollAnswer>,
  ctx: Context,
  polls: Iterable<PendingPoll>,
  parts: Parts,
  relation: Relation,
  flagged: Flagged | undefined,
): void {
  for (const poll of polls) {
    const queue = poll.queue as Queue;
    const { userId } = queue.descriptor;
    const set = flagged?.ownFlags.get(userId);
    const own = set && flagsOnCopy(set, parts[0].audience.copyOf(userId, flagged?.subscribers));
    // A poll parked while the flags were loaded has passed the event already.
    if (flagged !== undefined && own === undefined) continue;
    if (parts.length > 1 && !isOffered(queue, parts[0], relation)) continue;
    for (const entry of parts) {
      // The rest of a full answer comes with the next poll.
      if (entry.id <= poll.cursor || answers.get(poll)?.isFull) continue;
      const personal = personalMembers(ctx, queue, entry, relation, own);
      if (personal === null) continue;
      const answer = answers.get(poll) ?? new PollAnswer(ctx.counters);
      answers.set(poll, answer);
      answer.add(entry, viewOf(queue, entry), personal);
    }
  }
}

const durations = new Durations(
  'parley_events_delivery_seconds',
  'From a message being sent to its being written to the polls that wait for it',
);
const delivery = durations.of({});

/** To be called when the polls waiting for a record have been answered. */
function noteDelivery({ kind, payloads }: WindowRecord, nowMs: number): void {
  if (kind !== messageSent.kind) return;
  for (const { message } of payloads as readonly MessageSent[])
    delivery.took(Math.max(0, nowMs - message.sentAtMs) / 1000);
}
