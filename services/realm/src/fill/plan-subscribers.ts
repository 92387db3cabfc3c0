import { isGuest, type SeededRandom } from '@parley/shared/values';
import { pickColor } from '../subscriptions/colors';
import type { PlannedAccount } from './plan-accounts';

/** Accounts are named by their places in the organization, here and in what is planned for them. */
export interface PlannedSubscription {
  account: number;
  isActive: boolean;
  color: string;
  isMuted: boolean;
  isPinned: boolean;
}

export interface PlannedInterval {
  account: number;
  fromVersion: number;
  toVersion: number | null;
}

/** How a channel came by its subscribers: in a few changes some joined, then some left, some of these came back. */
export interface PlannedSubscribers {
  /** That the last of the changes led to. */
  version: number;
  /** Intervals that last. */
  subscriberCount: number;
  subscriptions: PlannedSubscription[];
  intervals: PlannedInterval[];
}

/** Everyone a channel can have; guests and bots are in every tenth. */
export function candidatesFor(rank: number, accounts: readonly PlannedAccount[]): number[] {
  const isForAll = rank % 10 === 0;
  return [...accounts.keys()].filter((index) => {
    const { role, bot } = accounts[index] as PlannedAccount;
    return isForAll || (!isGuest(role) && bot === null);
  });
}

/** Plans a channel whose members ever are these, in the order in which they joined. */
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
  // Whoever was deactivated receives nothing, and keeps the subscription.
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

/** In as many changes as the root of their number, none of them empty. */
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
