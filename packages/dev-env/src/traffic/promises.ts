import type { FollowedQueue } from './follower';
import type { Traffic } from './traffic';

/** A broken promise, with its location. */
export interface BrokenPromise<Promised = 'nothing lost' | 'nothing doubled' | 'order kept'> {
  promise: Promised;
  what: string;
}

/** The promises broken by the events received so far; messages still on their way do not count as missing. */
export function brokenInTraffic({ senders, followers }: Pick<Traffic, 'senders' | 'followers'>): BrokenPromise[] {
  const ofQueues = followers.flatMap((follower, index) =>
    follower.queues.flatMap(({ numbers }) =>
      senders.flatMap(({ account }) =>
        brokenIn(numbers.get(account.userId) ?? [], `follower ${index}, ${account.email}`),
      ),
    ),
  );
  const betweenQueues = followers.flatMap(({ queues }) => missedBetween(senders, queues));
  const order = followers.map(({ queues }) => queues[0]?.order ?? []);
  return [...ofQueues, ...betweenQueues, ...brokenOrders(order)];
}

/** The promises broken by numbers that must be consecutive. */
export function brokenIn(numbers: readonly number[], where: string): BrokenPromise[] {
  const all = new Set(numbers);
  const seen = new Set<number>();
  const broken: BrokenPromise[] = [];
  let next = numbers[0] ?? 0;
  for (const number of numbers) {
    if (seen.has(number)) broken.push({ promise: 'nothing doubled', what: `${where}: ${number} again` });
    else if (number < next) broken.push({ promise: 'order kept', what: `${where}: ${number} late` });
    for (; next < number; next += 1) {
      if (!all.has(next)) broken.push({ promise: 'nothing lost', what: `${where}: ${next} is missing` });
    }
    seen.add(number);
    next = Math.max(next, number + 1);
  }
  return broken;
}

/** A client that registered again got all messages of the time between, from the state or by fetching them. */
function missedBetween(senders: Traffic['senders'], queues: readonly FollowedQueue[]): BrokenPromise[] {
  return senders.flatMap(({ account, messageIds }) => {
    let next = 1;
    const broken: BrokenPromise[] = [];
    for (const { maxMessageId, numbers } of queues) {
      const received = numbers.get(account.userId) ?? [];
      for (; next < (received[0] ?? next); next += 1) {
        if ((messageIds.get(next) ?? 0) <= maxMessageId) continue;
        broken.push({ promise: 'nothing lost', what: `between two queues, ${account.email}: ${next} is missing` });
      }
      next = Math.max(next, (received.at(-1) ?? 0) + 1);
    }
    return broken;
  });
}

function brokenOrders(orders: readonly (readonly string[])[]): BrokenPromise[] {
  const longest = orders.reduce((one, other) => (other.length > one.length ? other : one), []);
  return orders.flatMap((order, index): BrokenPromise[] => {
    const at = order.findIndex((message, position) => message !== longest[position]);
    if (at < 0) return [];
    return [{ promise: 'order kept', what: `follower ${index} had ${order[at]} where another had ${longest[at]}` }];
  });
}
