import type { Follower, Traffic } from '@parley/dev-env';
import { chooseFaults, TARGETS, WAYS } from './faults';
import { presentResult } from './present-chaos';
import type { PrivateTalk } from './private-talk';
import { findBroken } from './promises';

test('all faults are chosen unless some are named: targets, ways or both', () => {
  expect(chooseFaults([])).toHaveLength(TARGETS.length * WAYS.length);
  expect(chooseFaults(['pause'])).toHaveLength(TARGETS.length);
  expect(chooseFaults(['nats-pause', 'postgres'])).toHaveLength(1 + WAYS.length);
  expect(() => chooseFaults(['unplug'])).toThrow('there is no fault "unplug"');
});

describe('messages of the private channel', () => {
  const [OWNER, MEMBER, OUTSIDER] = [1, 2, 3];
  const talk = { account: { userId: OWNER }, member: { userId: MEMBER }, absences: [{ from: 3, to: 4 }] };

  test.each([
    ['an outsider', OUTSIDER, [1], ['nothing overheard']],
    ['a member', MEMBER, [1, 2, 5], []],
    ['a member while not subscribed', MEMBER, [1, 2, 4, 5], ['nothing overheard']],
    ['the owner', OWNER, [1, 2, 3, 4, 5], []],
    ['the owner, one missing', OWNER, [1, 3], ['nothing lost']],
  ])('that reach %s', (_, userId, secrets, broken) => {
    const queue = { maxMessageId: 0, numbers: new Map(), order: [], secrets };
    const followers = [{ account: { userId }, queues: [queue] }] as unknown as Follower[];
    const traffic: Pick<Traffic, 'senders' | 'followers'> = { senders: [], followers };
    expect(findBroken(traffic, talk as unknown as PrivateTalk).map(({ promise }) => promise)).toEqual(broken);
  });
});

test('a fault is reported with the promises that it broke', () => {
  const broken = Array(2).fill({ promise: 'nothing doubled', what: 'here' });
  const fault = { target: 'nats', way: 'kill' } as const;
  const row = presentResult({ fault, lastedMs: 900, longestWaitMs: 1_250, registeredAgain: 0, broken });
  expect(row).toMatch(/^nats kill +ok +BROKEN 2 × +ok +ok +0\.90 s +1\.25 s +0\n$/);
});
