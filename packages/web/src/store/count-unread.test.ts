import { narrowKey } from '../narrow/narrow';
import { countUnread, nextUnread, type UnreadMessages, unreadOf } from './count-unread';

const unread: UnreadMessages = {
  mentions: [3, 12],
  pms: [{ other_user_id: 9, unread_message_ids: [11] }],
  huddles: [{ user_ids_string: '1,9,10', unread_message_ids: [12, 13] }],
  streams: [
    { stream_id: 5, topic: 'lunch', unread_message_ids: [1, 2, 3, 4] },
    { stream_id: 5, topic: 'noise', unread_message_ids: [20] },
    { stream_id: 6, topic: '', unread_message_ids: [7] },
  ],
};
const summary = countUnread(unread, {
  userId: 1,
  isTopicMuted: (_, topic) => topic === 'noise',
  isPersonMuted: (id) => id === 9,
});

test('muted topics, and conversations with nobody but muted people, count apart', () => {
  expect(summary).toMatchObject({ count: 7, mentionCount: 2 });
  expect(summary.channels.get(5)).toMatchObject({ count: 4, mutedCount: 1, mentionCount: 1 });
  expect(summary.directs.map(({ isMuted }) => isMuted)).toEqual([false, true]);
});

test('a conversation of several is with the others, and the newest comes first', () => {
  expect(summary.directs.map(({ narrow, count }) => [narrowKey(narrow), count])).toEqual([
    ['direct/9,10', 2],
    ['direct/9', 1],
  ]);
  expect(summary.channels.get(5)?.topics.map(({ newestId }) => newestId)).toEqual([20, 4]);
});

test('topics are found whatever their case, and conversations whatever their order', () => {
  expect(unreadOf(summary, { kind: 'topic', channelId: 5, topic: 'LUNCH' })?.count).toBe(4);
  expect(unreadOf(summary, { kind: 'direct', userIds: [10, 9] })?.count).toBe(2);
});

test.each<[string, string | undefined]>([
  ['nowhere', 'topic/5/lunch'],
  ['topic/5/lunch', 'topic/6/'],
  ['topic/6/', 'topic/5/lunch'],
])('after %s comes %s', (present, next) => {
  const topics = [...summary.channels.values()].flatMap((channel) => channel.topics);
  const found = nextUnread(topics, present, ({ kind }) => kind === 'topic');
  expect(found && narrowKey(found)).toBe(next);
});

test('what has not changed is the same object, so it is not drawn anew', () => {
  const facts = { userId: 1, isTopicMuted: () => false, isPersonMuted: () => false };
  const before = countUnread(unread, facts);
  unread.streams[2]?.unread_message_ids.push(30);
  const after = countUnread(unread, facts);
  expect(after.channels.get(5)?.topics[0]).toBe(before.channels.get(5)?.topics[0]);
  expect([before, after].map(({ channels }) => channels.get(6)?.topics[0]?.count)).toEqual([1, 2]);
});
