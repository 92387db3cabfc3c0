import type { ClientView } from './declare-event';
import { flagsChanged, type UnreadDetails } from './flags-changed';

const [shape] = flagsChanged.publicShapes;
const view = (isEmptyTopicUnderstood: boolean): ClientView => ({
  applyMarkdown: true,
  clientGravatar: true,
  isEmptyTopicUnderstood,
  capabilities: [],
});
const fact = { userId: 7, op: 'remove', flag: 'read', isAll: false } as const;

test('flags that were set are told to the user alone', () => {
  const set = { ...fact, op: 'add', flag: 'starred', messageIds: [4, 5] } as const;
  expect(shape?.audience({ ...set, messageIds: [4, 5] })).toEqual({ to: 'users', userIds: [7] });
  expect(shape?.render({ ...set, messageIds: [4, 5] }, view(true))).toEqual({
    type: 'update_message_flags',
    op: 'add',
    operation: 'add',
    flag: 'starred',
    messages: [4, 5],
    all: false,
  });
});

test('messages that are unread again come with where they are', () => {
  const details: UnreadDetails[] = [
    { messageId: 4, isMentioned: true, kind: 'channel', channelId: 2, topic: '', isMuted: true },
    { messageId: 5, isMentioned: false, kind: 'direct', otherUserIds: [8, 9] },
  ];
  const event = { ...fact, messageIds: [4, 5], details };
  expect(shape?.render(event, view(false))).toMatchObject({
    message_details: {
      4: { type: 'stream', stream_id: 2, topic: 'general chat', unmuted_stream_msg: false, mentioned: true },
      5: { type: 'private', user_ids: [8, 9] },
    },
  });
  expect(shape?.render(event, view(true))).toMatchObject({ message_details: { 4: { topic: '' } } });
  expect([shape?.variant(view(true)), shape?.variant(view(false))]).toEqual(['true', 'false']);
});
