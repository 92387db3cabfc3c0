import { subscriber, subscriptionChange } from '../../test/eg';
import { ChannelSubscribers } from './channel-subscribers';

const [ALWAYS, LATE, LEFT, RETURNED, NEVER] = [1, 2, 3, 4, 5];

function atVersion(version: number): ChannelSubscribers {
  return new ChannelSubscribers(version, [
    subscriber(ALWAYS, 1),
    subscriber(LATE, 3),
    subscriber(LEFT, 1, 3),
    { userId: RETURNED, intervals: [{ fromVersion: 4 }, { fromVersion: 1, toVersion: 2 }] },
  ]);
}

test.each([
  [1, [ALWAYS, LEFT, RETURNED]],
  [2, [ALWAYS, LEFT]],
  [3, [ALWAYS, LATE]],
  [4, [ALWAYS, LATE, RETURNED]],
])('at version %d they are %j, whatever has happened since', (version, userIds) => {
  const channel = atVersion(4);
  channel.advance(subscriptionChange({ version: 5, subscribedIds: [NEVER], unsubscribedIds: [ALWAYS, RETURNED] }));
  const found = [ALWAYS, LATE, LEFT, RETURNED, NEVER].filter((userId) => channel.wasSubscribed(userId, version));
  expect(found).toEqual(userIds);
});

test('a change leads to the next version', () => {
  const channel = atVersion(4);
  channel.advance(subscriptionChange({ version: 5, subscribedIds: [NEVER, LATE], unsubscribedIds: [ALWAYS, LEFT] }));
  expect(channel.version).toBe(5);
  const found = [ALWAYS, LATE, LEFT, RETURNED, NEVER].filter((userId) => channel.wasSubscribed(userId, 5));
  expect(found).toEqual([LATE, RETURNED, NEVER]);
});

test.each([4, 6])(
  'a change to version %d changes nothing: it is known, or something is missing before it',
  (version) => {
    const channel = atVersion(4);
    channel.advance(subscriptionChange({ version, unsubscribedIds: [ALWAYS] }));
    expect(channel.version).toBe(4);
    expect(channel.wasSubscribed(ALWAYS, 4)).toBe(true);
  },
);
