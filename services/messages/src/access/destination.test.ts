import { toChannel, toUsers } from '../../test/start-messages';
import { destinationOf } from './destination';

const users = (count: number) => Array.from({ length: count }, (_, index) => ({ id: index + 1 })) as never[];

test.each([
  ['nowhere', toUsers([], 'hi'), 'Message must have recipients'],
  ['too many', toUsers(users(301), 'hi'), 'Too many recipients (maximum 300).'],
  ['no topic', { ...toUsers([], 'hi'), isDirect: false, channelId: 1 }, 'Missing topic'],
  ['a line break in the topic', toChannel(1, '  ab\nc', 'hi'), 'Invalid character in topic, at position 3!'],
])('%s is refused', (_, request, expected) => {
  expect(() => destinationOf(request)).toThrow(expected);
});

test.each([
  [' Lunch ', 'Lunch'],
  ['general chat', ''],
  ['(no topic)', ''],
  ['x'.repeat(61), `${'x'.repeat(57)}...`],
])('the topic %j means %j', (topic, expected) => {
  expect(destinationOf(toChannel(1, topic, 'hi'))).toMatchObject({ topic: expected });
});
