import type { MessageRow } from './message.sql';
import { renderedAgain } from './rendered-again';

const NOBODY = { mentionedIds: [], topicParticipantIds: [] };
const MESSAGE = { id: 1, content: 'x', renderedContent: '<p>x</p>' };

test.each([
  ['where it was sent to', { channelId: 5, sentChannelId: 5, sentVersion: 3, movedVersion: null }, 5, 3],
  ['after a move to another channel', { channelId: 6, sentChannelId: 5, sentVersion: 3, movedVersion: 8 }, 6, 8],
])('a message that looks different is announced to those who have it %s', (_title, place, channelId, version) => {
  const message = { ...MESSAGE, ...place } as MessageRow;
  const [event] = renderedAgain(1, message, '<p>y</p>', NOBODY, 0);
  expect(event?.payload).toMatchObject({ audience: { to: 'subscribers', channelId, version, isPublic: false } });
});

test('a direct message is announced to its participants', () => {
  const place = { channelId: null, sentChannelId: null, sentVersion: null, movedVersion: null, participantIds: [1, 2] };
  const message = { ...MESSAGE, ...place } as MessageRow;
  const [event] = renderedAgain(1, message, '<p>y</p>', NOBODY, 0);
  expect(event?.payload).toMatchObject({ audience: { to: 'users', userIds: [1, 2] } });
});
