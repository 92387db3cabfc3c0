import type { TestClient } from '../network/test-client';
import type { FollowedQueue, Follower } from './follower';
import { brokenIn, brokenInTraffic } from './promises';
import { Traffic } from './traffic';

const SENDER = 3;

const queue = (numbers: number[], more: Partial<FollowedQueue> = {}): FollowedQueue => ({
  maxMessageId: 0,
  numbers: new Map([[SENDER, numbers]]),
  order: numbers.map((number) => `${SENDER}: ${number}`),
  secrets: [],
  ...more,
});

/** A user's queues, one after the other. */
const follower = (...queues: FollowedQueue[]) => ({ queues }) as Follower;

const messageIds = new Map([1, 2, 3, 4, 5, 6].map((number) => [number, number * 10]));

function brokenBy(...followers: Follower[]): string[] {
  const senders = [{ account: { userId: SENDER, email: 'eve' }, messageIds }] as unknown as Traffic['senders'];
  return brokenInTraffic({ senders, followers }).map(({ promise }) => promise);
}

test.each([
  [[1, 2, 3], []],
  [[4, 5], []],
  [[], []],
  [[1, 3], ['nothing lost']],
  [[1, 2, 2, 3], ['nothing doubled']],
  [[1, 3, 2, 4], ['order kept']],
])('of the numbers %j these promises are broken: %j', (numbers, broken) => {
  expect(brokenIn(numbers, 'here').map(({ promise }) => promise)).toEqual(broken);
});

describe('a promise is broken', () => {
  test('not by a queue that is behind another', () => {
    expect(brokenBy(follower(queue([1, 2, 3])), follower(queue([1, 2])))).toEqual([]);
  });

  test('when two followers get the same in another order', () => {
    const [one, other] = [queue([1, 2]), queue([1, 2], { order: ['3: 2', '3: 1'] })];
    expect(brokenBy(follower(one), follower(other))).toEqual(['order kept']);
  });

  test('when neither a queue nor the state that was fetched after it has a message', () => {
    const anew = (maxMessageId: number) => follower(queue([1, 2]), queue([5, 6], { maxMessageId }));
    expect(brokenBy(anew(40))).toEqual([]);
    expect(brokenBy(anew(30))).toEqual(['nothing lost']);
  });
});

describe('when nothing reaches any follower', () => {
  const standstill = () => new Traffic(['127.0.0.1:1'], [{ userId: SENDER } as TestClient], 1);
  const never = new Promise<never>(() => {});

  test('the wait ends at the limit, even if the work does not', async () => {
    expect(await standstill().longestRoundMs(never, 20)).toBe(20);
  }, 5_000);

  test('failures during the wait are thrown', async () => {
    await expect(standstill().longestRoundMs(Promise.reject(new Error('failed')), 20)).rejects.toThrow('failed');
    const traffic = standstill();
    expect(await traffic.isWithin(20, traffic.ending(never))).toBe(false);
    await expect(traffic.isWithin(20, traffic.ending(Promise.reject(new Error('failed'))))).rejects.toThrow('failed');
  });
});
