import { isGuest, type SeededRandom } from '@parley/shared/values';
import { pickColor } from '../subscriptions/plan-subscriptions';
import { CHANNEL_PURPOSES, type PlannedAccount, TEAMS } from './plan-people';

/** A channel of a filled organization. */
export interface PlannedChannel {
  name: string;
  description: string;
  isPrivate: boolean;
  isWebPublic: boolean;
  isHistoryPublic: boolean;
  isArchived: boolean;
  madeDaysAgo: number;
  /** The number of present and former subscribers. */
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
 * Sizes follow a power law of the rank, from everyone down to at least one; the exponent gives users about that many subscriptions each.
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

/** Accounts are referred to by index, here and in their plans. */
interface PlannedSubscription {
  account: number;
  isActive: boolean;
  color: string;
  isMuted: boolean;
  isPinned: boolean;
}

interface PlannedInterval {
  account: number;
  fromVersion: number;
  toVersion: number | null;
}

/** A channel's subscriber history: in a few changes some joined, then some left, and some of these came back. */
export interface PlannedSubscribers {
  /** The version after the last change. */
  version: number;
  /** The number of open intervals. */
  subscriberCount: number;
  subscriptions: PlannedSubscription[];
  intervals: PlannedInterval[];
}

/** The possible subscribers; guests and bots are in every tenth channel. */
export function candidatesFor(rank: number, accounts: readonly PlannedAccount[]): number[] {
  const isForAll = rank % 10 === 0;
  return [...accounts.keys()].filter((index) => {
    const { role, bot } = accounts[index] as PlannedAccount;
    return isForAll || (!isGuest(role) && bot === null);
  });
}

/** Plans a channel with these present and former subscribers, in the order in which they joined. */
export function planSubscribers(
  rank: number,
  members: readonly number[],
  accounts: readonly PlannedAccount[],
  usedColors: readonly Set<string>[],
  random: SeededRandom,
): PlannedSubscribers {
  const intervals = joining(members);
  let version = intervals.at(-1)?.fromVersion ?? 0;
  const left = intervals.filter(() => random.happens(0.05));
  if (left.length > 0) version += 1;
  for (const interval of left) interval.toVersion = version;
  const back = left.filter(() => random.happens(0.2)).map(({ account }) => account);
  if (back.length > 0) version += 1;
  intervals.push(...back.map((account) => ({ account, fromVersion: version, toVersion: null })));
  // Deactivated users receive nothing, and keep the subscription.
  const suspended = intervals.filter(({ account, toVersion }) => toVersion === null && !accounts[account]?.isActive);
  if (suspended.length > 0) version += 1;
  for (const interval of suspended) interval.toVersion = version;

  const gone = new Set(left.map(({ account }) => account));
  for (const account of back) gone.delete(account);
  return {
    version,
    subscriberCount: intervals.filter(({ toVersion }) => toVersion === null).length,
    subscriptions: members.map((account) => planSubscription(rank, account, !gone.has(account), usedColors, random)),
    intervals,
  };
}

/** The number of changes is the square root of the members', and none is empty. */
function joining(members: readonly number[]): PlannedInterval[] {
  const changes = Math.ceil(Math.sqrt(members.length));
  return members.map((account, index) => ({
    account,
    fromVersion: 1 + Math.floor((index * changes) / members.length),
    toVersion: null,
  }));
}

function planSubscription(
  rank: number,
  account: number,
  isActive: boolean,
  usedColors: readonly Set<string>[],
  random: SeededRandom,
): PlannedSubscription {
  const used = usedColors[account] as Set<string>;
  const color = pickColor(used, rank);
  used.add(color);
  return { account, isActive, color, isMuted: random.happens(0.05), isPinned: random.happens(0.03) };
}
