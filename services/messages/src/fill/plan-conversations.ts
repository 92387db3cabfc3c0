import { BadRequestError } from '@parley/shared/errors';
import type { FillChannel, FillMessagesRequest, FillPerson } from '@parley/shared/proto';
import { RESOLVED_TOPIC_PREFIX, type SeededRandom } from '@parley/shared/values';
import { ACTIONS, PLACES, SUBJECTS } from './texts';

export interface PlannedTopic {
  channelId: number;
  name: string;
}

/** The topics of each channel: channels with more messages have more topics, none has no topic. */
export function planTopics(
  channels: readonly FillChannel[],
  { topics }: FillSize,
  random: SeededRandom,
): PlannedTopic[][] {
  return channels.map(({ id }, rank) => {
    const count = Math.max(1, Math.round(topics * shareOfRank(rank, channels.length)));
    const start = random.below(SUBJECTS.length * ACTIONS.length * PLACES.length);
    return Array.from({ length: count }, (_, index) => {
      const isResolved = index > 0 && random.happens(0.1);
      return { channelId: id, name: (isResolved ? RESOLVED_TOPIC_PREFIX : '') + nameOf(start + index) };
    });
  });
}

function nameOf(index: number): string {
  const subject = SUBJECTS[index % SUBJECTS.length];
  const action = ACTIONS[Math.floor(index / SUBJECTS.length) % ACTIONS.length];
  const place = Math.floor(index / (SUBJECTS.length * ACTIONS.length));
  const round = Math.floor(place / PLACES.length);
  return `${action} the ${subject} in ${PLACES[place % PLACES.length]}${round === 0 ? '' : ` ${round + 1}`}`;
}

/** The participants of each conversation, by id: mostly two, sometimes more, rarely one; all different. */
export function planDirects(
  people: readonly FillPerson[],
  { directConversations }: FillSize,
  random: SeededRandom,
): number[][] {
  const ids = people.map(({ id }) => id);
  const planned = new Map<string, number[]>();
  for (let index = 0; index < directConversations; index += 1) {
    const participants = random.sample(ids, planSize(random)).sort((a, b) => a - b);
    if (participants.length > 0) planned.set(participants.join(), participants);
  }
  return [...planned.values()];
}

function planSize(random: SeededRandom): number {
  if (random.happens(0.02)) return 1;
  return random.happens(0.85) ? 2 : 3 + random.below(4);
}

/** A random rank from 0 to below `count`, with a Zipf distribution: its probability is proportional to 1 / (rank + 1). */
export function pickRank(random: SeededRandom, count: number): number {
  return Math.floor((count + 1) ** random.next()) - 1;
}

/** The share of picks by rank. */
function shareOfRank(rank: number, count: number): number {
  return Math.log((rank + 2) / (rank + 1)) / Math.log(count + 1);
}

/** How much an organization is filled with. */
export interface FillSize {
  messages: number;
  topics: number;
  directConversations: number;
}

const LIMITS = { messages: 20_000_000, topics: 200_000, directConversations: 100_000 };
const MESSAGES_PER_TOPIC = 100;
const MESSAGES_PER_DIRECT_CONVERSATION = 200;

/** The requested sizes, and defaults for the others. */
export function sizeFromInput({ messages, topics, directConversations }: FillMessagesRequest): FillSize {
  const size = {
    messages,
    topics: topics ?? Math.ceil(messages / MESSAGES_PER_TOPIC),
    directConversations: directConversations ?? Math.ceil(messages / MESSAGES_PER_DIRECT_CONVERSATION),
  };
  for (const [name, limit] of Object.entries(LIMITS)) {
    if (size[name as keyof FillSize] > limit) throw new BadRequestError(`Too many ${name} (limit: ${limit})`);
  }
  if (messages < 1) throw new BadRequestError('An organization is filled with at least one message.');
  if (size.topics < 0 || size.directConversations < 0) throw new BadRequestError('There cannot be less than none.');
  return size;
}
