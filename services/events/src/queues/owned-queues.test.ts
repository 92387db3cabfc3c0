import { OTHER_REALM, REALM } from '../../test/eg';
import { findSurplus, MAX_IDLE_QUEUES } from './owned-queues';
import type { QueueDescriptor } from './queue';

const NOW = 1_000_000_000;
const MINUTE_MS = 60_000;
const LIFESPAN_SECS = 604_800;

/** Last used so many minutes ago. */
const queue = (queueId: string, idleMinutes: number, fields: Partial<QueueDescriptor> = {}) => {
  const expiresAt = NOW - idleMinutes * MINUTE_MS + LIFESPAN_SECS * 1000;
  const descriptor = { queueId, realmId: REALM, userId: 1, lifespanSecs: LIFESPAN_SECS, expiresAt, ...fields };
  return { descriptor: descriptor as QueueDescriptor, revision: 1 };
};
const many = (count: number, idleMinutes: number, fields: Partial<QueueDescriptor> = {}) =>
  Array.from({ length: count }, (_, index) => queue(`many-${index}`, idleMinutes, fields));
const surplusOf = (...queues: ReturnType<typeof queue>[]) =>
  findSurplus(queues, NOW, ({ epoch }) => epoch === 'ended').map(({ descriptor }) => descriptor.queueId);

test('expired queues are surplus, with a margin for clocks that differ', () => {
  const expired = (ago: number) => ({ expiresAt: NOW - ago * MINUTE_MS });
  expect(surplusOf(queue('long ago', 0, expired(2)), queue('just now', 0, expired(0.5)), queue('alive', 90))).toEqual([
    'long ago',
  ]);
});

test('queues that have ended are surplus, used or not', () => {
  const [ended, other] = [{ epoch: 'ended' }, { epoch: 'log' }];
  expect(surplusOf(queue('used', 0, ended), queue('idle', 90, ended), queue('other', 0, other))).toEqual([
    'used',
    'idle',
  ]);
});

describe('of too many idle queues of a user', () => {
  test('those that were idle longest are surplus', () => {
    const queues = [queue('recent', 3), ...many(MAX_IDLE_QUEUES - 1, 5), queue('older', 9), queue('oldest', 10)];
    expect(surplusOf(...queues)).toEqual(['oldest', 'older']);
    expect(surplusOf(...many(MAX_IDLE_QUEUES, 5))).toEqual([]);
  });

  test('those in use do not count', () => {
    expect(surplusOf(...many(MAX_IDLE_QUEUES, 5), ...many(MAX_IDLE_QUEUES, 0))).toEqual([]);
  });

  test('those of others do not count', () => {
    const ofOthers = [...many(700, 5, { userId: 2 }), ...many(700, 5, { realmId: OTHER_REALM })];
    expect(surplusOf(...many(700, 5), ...ofOthers)).toEqual([]);
  });
});
