import type { SeededRandom } from '@parley/shared/values';

/** A place from 0 to below `count`, where few are met often and many seldom: a place's share falls with its number, like 1 / (place + 1). */
export function pickRank(random: SeededRandom, count: number): number {
  return Math.floor((count + 1) ** random.next()) - 1;
}

/** What share of the picks goes to a place. */
export function shareOfRank(rank: number, count: number): number {
  return Math.log((rank + 2) / (rank + 1)) / Math.log(count + 1);
}
