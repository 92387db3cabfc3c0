import type { FillChannel, FillPerson } from '@parley/shared/proto';
import { RESOLVED_TOPIC_PREFIX, type SeededRandom } from '@parley/shared/values';
import type { FillSize } from './fill-size';
import { shareOfRank } from './pick-rank';
import { ACTIONS, PLACES, SUBJECTS } from './sample-words';

export interface PlannedTopic {
  channelId: number;
  name: string;
}

/** The topics of each channel: the channels with most messages have most topics, none has none. */
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

/** The participants of each conversation, by id: mostly two, sometimes more, seldom somebody alone; no two have the same. */
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
