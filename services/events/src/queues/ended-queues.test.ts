import { createFakeClock } from '@parley/shared/testing';
import { OTHER_REALM, REALM } from '../../test/eg';
import { EndedQueues } from './ended-queues';
import type { QueueDescriptor } from './queue';

const DAY_MS = 24 * 3_600_000;

const queue = (fields: Partial<QueueDescriptor>) =>
  ({ realmId: REALM, userId: 1, epoch: 'log', beginsAt: 100, ...fields }) as QueueDescriptor;

const ended = () => {
  const queues = new EndedQueues(createFakeClock());
  queues.end(REALM, 1, { epoch: 'log', position: 200 });
  queues.end(OTHER_REALM, undefined, { epoch: 'log', position: 300 });
  return queues;
};

test.each<[string, Partial<QueueDescriptor>, boolean]>([
  ['of the user, from before', { beginsAt: 199 }, true],
  ['of the user, made afterwards', { beginsAt: 200 }, false],
  ['of the user, in another log', { epoch: 'newer log' }, false],
  ['of somebody else', { userId: 2 }, false],
  ['of anybody in an organization that ended', { realmId: OTHER_REALM, userId: 7 }, true],
  ['of such an organization, made afterwards', { realmId: OTHER_REALM, beginsAt: 300 }, false],
])('a queue %s: %j has ended: %s', (_which, fields, isEnded) => expect(ended().has(queue(fields))).toBe(isEnded));

test('an end is remembered for as long as a queue can live', () => {
  const clock = createFakeClock();
  const queues = new EndedQueues(clock);
  queues.end(REALM, 1, { epoch: 'log', position: 200 });
  clock.advance(7 * DAY_MS);
  queues.forgetExpired();
  expect(queues.has(queue({}))).toBe(true);
  clock.advance(DAY_MS);
  queues.forgetExpired();
  expect(queues.has(queue({}))).toBe(false);
});

test('queues for all public channels may be ended separately', () => {
  const queues = new EndedQueues(createFakeClock());
  queues.endWide(REALM, 1, { epoch: 'log', position: 200 });
  expect([queues.has(queue({ isWide: true })), queues.has(queue({ isWide: false }))]).toEqual([true, false]);
  expect(queues.has(queue({ isWide: true, userId: 2 }))).toBe(false);
});
