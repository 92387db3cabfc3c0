import { type BrokenPromise, brokenIn, brokenInTraffic, type Follower, type Traffic } from '@parley/dev-env';
import type { PrivateTalk } from './private-talk';

export const PROMISES = ['nothing lost', 'nothing doubled', 'order kept', 'nothing overheard', 'recovers'] as const;

export type Broken = BrokenPromise<(typeof PROMISES)[number]>;

/** The promises broken by the events received so far; messages still on their way do not count as missing. */
export function findBroken(traffic: Pick<Traffic, 'senders' | 'followers'>, talk: PrivateTalk): Broken[] {
  return [...brokenInTraffic(traffic), ...overheard(traffic.followers, talk)];
}

function overheard(followers: readonly Follower[], { account: owner, member, absences }: PrivateTalk): Broken[] {
  return followers.flatMap(({ account, queues }, index) => {
    const where = `follower ${index}, secrets`;
    const heard = queues.flatMap(({ secrets }) => secrets);
    if (account.userId === owner.userId) return queues.flatMap(({ secrets }) => brokenIn(secrets, where));
    const wasAbsent = (number: number) => absences.some(({ from, to }) => number >= from && number <= to);
    const forbidden = account.userId === member.userId ? heard.filter(wasAbsent) : heard;
    return forbidden.map((number): Broken => ({ promise: 'nothing overheard', what: `${where}: ${number}` }));
  });
}
