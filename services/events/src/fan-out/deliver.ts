import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context } from '../context';
import type { LogEntry } from '../log/log-entry';
import type { HeldRecord } from '../log/log-record';
import { Answer } from '../queues/answer';
import type { HeldPoll } from '../queues/held-poll';
import { personalMembers } from '../queues/personal-members';
import type { Queue } from '../queues/queue';
import { viewOf } from '../queues/view-of';
import type { ChannelSubscribers } from './channel-subscribers';
import type { ParkedPolls } from './parked-polls';
import type { ChannelVersion, Reach, Relation } from './reach';

/** Replies written in one go; longer and every other client would notice. */
const REPLIES_AT_ONCE = 300;

/** Ends the parked polls of an organization that get something from a record. */
export async function deliver(ctx: Context, parked: ParkedPolls, record: HeldRecord): Promise<void> {
  const answers = new Map<HeldPoll, Answer>();
  for (const entry of record.entries) await offer(ctx, parked, record.realmId, entry, answers);
  let written = 0;
  for (const [poll, answer] of answers) {
    poll.answer(answer.toJson());
    written += 1;
    if (written % REPLIES_AT_ONCE === 0) await nextTurn();
  }
}

async function offer(
  ctx: Context,
  parked: ParkedPolls,
  realmId: number,
  entry: LogEntry,
  answers: Map<HeldPoll, Answer>,
): Promise<void> {
  const { reach } = entry;
  const isOfChannels = reach.channels.length > 0;
  const subscribers = isOfChannels ? await subscribersOf(ctx, realmId, reach.channels) : undefined;
  const give = (polls: Iterable<HeldPoll>, relation: Relation) => addTo(answers, ctx, polls, entry, relation);
  for (const userId of reach.candidates(parked, subscribers)) {
    const relation = reach.relationOf(userId, subscribers);
    if (relation === 'receiver' || relation === 'onlooker') give(parked.of(userId), relation);
  }
  if (subscribers) give(listeners(parked, reach, subscribers), 'listener');
}

async function subscribersOf({ subscribers }: Context, realmId: number, channels: readonly ChannelVersion[]) {
  const found: ChannelSubscribers[] = [];
  for (const { channelId, version } of channels) {
    found.push(subscribers.find(realmId, channelId, version) ?? (await subscribers.load(realmId, channelId, version)));
  }
  return found;
}

function* listeners(
  parked: ParkedPolls,
  reach: Reach,
  subscribers: readonly ChannelSubscribers[],
): Generator<HeldPoll> {
  for (const poll of parked.wide())
    if (reach.relationOf((poll.queue as Queue).descriptor.userId, subscribers) === 'listener') yield poll;
}

function addTo(
  answers: Map<HeldPoll, Answer>,
  ctx: Context,
  polls: Iterable<HeldPoll>,
  entry: LogEntry,
  relation: Relation,
): void {
  for (const poll of polls) {
    const queue = poll.queue as Queue;
    const personal = entry.id > poll.cursor ? personalMembers(queue, entry, relation) : null;
    if (personal === null) continue;
    const answer = answers.get(poll) ?? new Answer(ctx.counters);
    answers.set(poll, answer);
    answer.add(entry, viewOf(queue, entry), personal);
  }
}
