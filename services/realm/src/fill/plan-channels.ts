import type { SeededRandom } from '@parley/shared/values';
import { CHANNEL_PURPOSES, TEAMS } from './sample-words';

/** A channel of a filled organization. */
export interface PlannedChannel {
  name: string;
  description: string;
  isPrivate: boolean;
  isWebPublic: boolean;
  isHistoryPublic: boolean;
  isArchived: boolean;
  madeDaysAgo: number;
  /** How many shall ever have subscribed. */
  size: number;
}

const MAX_DAYS = 3 * 365;

/** Channels from large to small: the first is for everyone, public, and in use. */
export function planChannels(
  count: number,
  accountCount: number,
  subscriptionsPerUser: number,
  random: SeededRandom,
): PlannedChannel[] {
  return channelSizes(count, accountCount, subscriptionsPerUser).map((size, index) => {
    const isPrivate = index > 0 && random.happens(0.25);
    const name = nameOf(index);
    return {
      name,
      description: `What concerns ${name}`,
      isPrivate,
      isWebPublic: index > 0 && !isPrivate && random.happens(0.02),
      isHistoryPublic: !isPrivate || random.happens(0.5),
      isArchived: index > 0 && random.happens(0.05),
      madeDaysAgo: random.below(MAX_DAYS),
      size,
    };
  });
}

/**
 * Sizes that fall by a power of the rank, a straight line on logarithmic paper, from everyone to at least one; the power is the one
 * with which users have about so many subscriptions each.
 */
export function channelSizes(count: number, accountCount: number, subscriptionsPerUser: number): number[] {
  const wanted = accountCount * subscriptionsPerUser;
  const sizesFor = (power: number) =>
    Array.from({ length: count }, (_, index) => Math.max(1, Math.round(accountCount * (index + 1) ** -power)));
  const total = (sizes: readonly number[]) => sizes.reduce((sum, size) => sum + size, 0);
  let [low, high] = [0, 8];
  for (let step = 0; step < 40; step += 1) {
    const middle = (low + high) / 2;
    if (total(sizesFor(middle)) > wanted) low = middle;
    else high = middle;
  }
  return sizesFor(high);
}

function nameOf(index: number): string {
  const team = TEAMS[index % TEAMS.length] as string;
  const purpose = CHANNEL_PURPOSES[Math.floor(index / TEAMS.length) % CHANNEL_PURPOSES.length] as string;
  const round = Math.floor(index / (TEAMS.length * CHANNEL_PURPOSES.length));
  return round === 0 ? `${team} ${purpose}` : `${team} ${purpose} ${round + 1}`;
}
