import { startGuarded } from '@parley/shared/embedded';
import type { TestClient } from '../network/test-client';
import { listProcesses } from '../start/list-processes';
import { ChaosServer } from './chaos-server';
import { chooseFaults, TARGETS, WAYS } from './faults';
import type { Follower, Stretch } from './follower';
import { presentResult } from './present-chaos';
import type { PrivateTalk } from './private-talk';
import { brokenIn, findBroken } from './promises';
import { Traffic } from './traffic';

const OWNER = 1;
const MEMBER = 2;
const OUTSIDER = 3;

const stretch = (numbers: number[], more: Partial<Stretch> = {}): Stretch => ({
  maxMessageId: 0,
  numbers: new Map([[OUTSIDER, numbers]]),
  order: numbers.map((number) => `${OUTSIDER}: ${number}`),
  secrets: [],
  ...more,
});

/** A user's queues, one after the other. */
const follower = (userId: number, ...stretches: Stretch[]) =>
  ({ account: { userId }, stretches }) as unknown as Follower;

const messageIds = new Map([1, 2, 3, 4, 5, 6].map((number) => [number, number * 10]));
const talk = {
  account: { userId: OWNER },
  member: { userId: MEMBER },
  absences: [{ from: 3, to: 4 }],
} as unknown as PrivateTalk;

function brokenBy(...followers: Follower[]): string[] {
  const senders = [{ account: { userId: OUTSIDER, email: 'eve' }, messageIds }];
  return findBroken({ senders, followers } as unknown as Traffic, talk).map(({ promise }) => promise);
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
    expect(brokenBy(follower(OUTSIDER, stretch([1, 2, 3])), follower(OUTSIDER, stretch([1, 2])))).toEqual([]);
  });

  test('when two hear the same in another order', () => {
    const [one, other] = [stretch([1, 2]), stretch([1, 2], { order: ['3: 2', '3: 1'] })];
    expect(brokenBy(follower(OUTSIDER, one), follower(OUTSIDER, other))).toEqual(['order kept']);
  });

  test('when neither a queue nor the state that was fetched after it has a message', () => {
    const anew = (maxMessageId: number) => follower(OUTSIDER, stretch([1, 2]), stretch([5, 6], { maxMessageId }));
    expect(brokenBy(anew(40))).toEqual([]);
    expect(brokenBy(anew(30))).toEqual(['nothing lost']);
  });

  test('when an outsider hears a secret, or a member one that was said while they were none', () => {
    const hears = (userId: number, secrets: number[]) => brokenBy(follower(userId, stretch([1], { secrets })));
    expect(hears(OUTSIDER, [1])).toEqual(['nothing overheard']);
    expect(hears(MEMBER, [1, 2, 5])).toEqual([]);
    expect(hears(MEMBER, [1, 2, 4, 5])).toEqual(['nothing overheard']);
    expect(hears(OWNER, [1, 2, 3, 4, 5])).toEqual([]);
    expect(hears(OWNER, [1, 3])).toEqual(['nothing lost']);
  });
});

describe('when nothing reaches anybody any more', () => {
  const standstill = () => new Traffic(['127.0.0.1:1'], [{ userId: OWNER } as TestClient], 1);
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

describe('faults', () => {
  test('are all of them unless some are named: targets, ways or both', () => {
    expect(chooseFaults([])).toHaveLength(TARGETS.length * WAYS.length);
    expect(chooseFaults(['pause'])).toHaveLength(TARGETS.length);
    expect(chooseFaults(['nats-pause', 'postgres'])).toHaveLength(1 + WAYS.length);
    expect(() => chooseFaults(['unplug'])).toThrow('there is no fault "unplug"');
  });

  test('kill a server with all its processes', async () => {
    const server = new ChaosServer(async () => {
      const started = await startGuarded('sh', ['-c', 'sleep 1000 & sleep 1000 & wait']);
      return { ...started, url: 'test://127.0.0.1:1' };
    }, 'nowhere');
    await server.start();
    const [parent] = server.signal('SIGCONT');
    const childrenOf = () => listProcesses().filter(({ parentPid }) => parentPid === parent);
    const giveUpAt = performance.now() + 10_000;
    while (childrenOf().length < 2 && performance.now() < giveUpAt) await new Promise(setImmediate);
    const pids = childrenOf().map(({ pid }) => pid);
    await server.kill();
    expect(pids.length).toBe(2);
    expect(listProcesses().filter(({ pid }) => pids.includes(pid))).toEqual([]);
  });

  test('are reported with their fault', () => {
    const broken = brokenIn([1, 1, 1], 'here');
    const fault = { target: 'nats', way: 'kill' } as const;
    const row = presentResult({ fault, lastedMs: 900, longestWaitMs: 1_250, registeredAnew: 0, broken });
    expect(row).toMatch(/^nats kill +ok +BROKEN 2 × +ok +ok +0\.90 s +1\.25 s +0\n$/);
  });
});
