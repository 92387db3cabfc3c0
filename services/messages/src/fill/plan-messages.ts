import type { FillChannel, FillInterval, FillPerson } from '@parley/shared/proto';
import type { SeededRandom } from '@parley/shared/values';
import { pickRank } from './plan-conversations';
import { CLIENT_NAMES, type Text, type Texts } from './texts';

/** A channel to write in. */
interface FilledChannel {
  facts: FillChannel;
  /** Its topics, those with most messages first. */
  topicIds: readonly number[];
  /** The latest subscription version of existing messages; 0: there are none. */
  lastVersion: number;
}

/** A direct conversation to write in. */
interface FilledDirect {
  id: number;
  participantIds: readonly number[];
}

/** The channels and conversations to write in, and the possible senders. */
export interface Places {
  channels: readonly FilledChannel[];
  directs: readonly FilledDirect[];
  people: ReadonlyMap<number, FillPerson>;
}

export interface PlannedMessage extends Text {
  conversationId: number;
  channelId: number | null;
  sentVersion: number | null;
  senderId: number;
  clientName: string;
}

const DIRECT_SHARE = 0.1;
const SAME_TOPIC_SHARE = 0.7;
const MENTION_SHARE = 0.03;
const WILDCARD_SHARE = 0.0005;

/** Messages in chronological order; few channels and topics have most of them, and some have few. */
export function* planMessages(
  count: number,
  { channels, directs, people }: Places,
  texts: Texts,
  random: SeededRandom,
): Generator<PlannedMessage> {
  const latestTopics = channels.map(({ topicIds }) => topicIds[0] as number);
  for (let index = 0; index < count; index += 1) {
    const isDirect = channels.length === 0 || (directs.length > 0 && random.happens(DIRECT_SHARE));
    if (isDirect) {
      yield planDirect(directs[pickRank(random, directs.length)] as FilledDirect, people, texts, random);
      continue;
    }
    const rank = pickRank(random, channels.length);
    const channel = channels[rank] as FilledChannel;
    const isOther = !random.happens(SAME_TOPIC_SHARE);
    if (isOther) latestTopics[rank] = channel.topicIds[pickRank(random, channel.topicIds.length)] as number;
    const version = versionAt(channel, index / count);
    yield planInChannel(channel, latestTopics[rank] as number, version, people, texts, random);
  }
}

function planDirect(
  { id, participantIds }: FilledDirect,
  people: Places['people'],
  texts: Texts,
  random: SeededRandom,
): PlannedMessage {
  const mentioned = random.happens(MENTION_SHARE) ? people.get(random.pick(participantIds)) : undefined;
  return {
    conversationId: id,
    channelId: null,
    sentVersion: null,
    senderId: random.pick(participantIds),
    clientName: random.pick(CLIENT_NAMES),
    ...texts.next(mentioned),
  };
}

function planInChannel(
  { facts }: FilledChannel,
  topicId: number,
  version: number,
  people: Places['people'],
  texts: Texts,
  random: SeededRandom,
): PlannedMessage {
  const mentioned = random.happens(MENTION_SHARE) ? people.get(subscriberAt(facts, version, random)) : undefined;
  return {
    conversationId: topicId,
    channelId: facts.id,
    sentVersion: version,
    senderId: subscriberAt(facts, version, random),
    clientName: random.pick(CLIENT_NAMES),
    ...(random.happens(WILDCARD_SHARE) ? texts.nextForAll() : texts.next(mentioned)),
  };
}

/** The channel's versions increase evenly over its messages, from the latest existing one to the current one. */
function versionAt({ facts, lastVersion }: FilledChannel, share: number): number {
  const first = Math.max(1, lastVersion);
  return first + Math.floor(share * (facts.subscriptionVersion - first + 1));
}

/** Prefers early subscribers; any of them if all had left at the version. */
function subscriberAt({ intervals }: FillChannel, version: number, random: SeededRandom): number {
  const holds = ({ fromVersion, toVersion }: FillInterval) =>
    fromVersion <= version && (toVersion === undefined || version < toVersion);
  const picked = intervals[pickRank(random, intervals.length)] as FillInterval;
  return (holds(picked) ? picked : (intervals.find(holds) ?? picked)).userId;
}

export interface PlannedReader {
  userId: number;
  /** The number of the organization's latest messages that the user has not read. */
  behind: number;
}

/** A user's flag on the latest message of a topic. */
export interface PlannedMark {
  userId: number;
  topicId: number;
  /** The version since which they are subscribed. */
  fromVersion: number;
}

const MAX_MARKS = 5_000;
const MESSAGES_PER_MARK = 50;

/** Most users are nearly at the end, some are far behind. */
export function planReaders({ people }: Places, messages: number, random: SeededRandom): PlannedReader[] {
  return [...people.keys()].map((userId) => ({ userId, behind: pickRank(random, Math.ceil(messages / 10)) }));
}

/** Some thousand marks, at most one per user and topic. */
export function planMarks({ channels, people }: Places, messages: number, random: SeededRandom): PlannedMark[] {
  const planned = new Map<string, PlannedMark>();
  const count = channels.length === 0 ? 0 : Math.min(MAX_MARKS, Math.ceil(messages / MESSAGES_PER_MARK));
  for (let index = 0; index < count; index += 1) {
    const { facts, topicIds } = channels[pickRank(random, channels.length)] as FilledChannel;
    const topicId = topicIds[pickRank(random, topicIds.length)] as number;
    const { userId, fromVersion, toVersion } = random.pick(facts.intervals);
    if (toVersion === undefined && people.has(userId)) {
      planned.set(`${userId} ${topicId}`, { userId, topicId, fromVersion });
    }
  }
  return [...planned.values()];
}
