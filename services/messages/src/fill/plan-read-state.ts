import type { SeededRandom } from '@parley/shared/values';
import { pickRank } from './pick-rank';
import type { FilledChannel, Places } from './plan-messages';

export interface PlannedReader {
  userId: number;
  /** How many of the organization's latest messages they have not come to yet. */
  behind: number;
}

/** Somebody who has something of their own on the latest message of a topic. */
export interface PlannedMark {
  userId: number;
  topicId: number;
  /** Since which they have been in the channel. */
  fromVersion: number;
}

const MAX_MARKS = 5_000;
const MESSAGES_PER_MARK = 50;

/** Most people have nearly come to the end, some are far behind. */
export function planReaders({ people }: Places, messages: number, random: SeededRandom): PlannedReader[] {
  return [...people.keys()].map((userId) => ({ userId, behind: pickRank(random, Math.ceil(messages / 10)) }));
}

/** Some thousand marks, each person at most one in a topic. */
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
