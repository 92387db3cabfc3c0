import type { UnreadConversation } from './count-unread';
import { COUNTS, titleCount } from './title-count';

const topic = (name: string, count: number, mentionCount: number, isMuted = false): UnreadConversation => ({
  ...{ narrow: { kind: 'topic', channelId: 5, topic: name }, newestId: 1 },
  ...{ count, mentionCount, isMuted },
});
const direct = (userId: number, count: number, isMuted = false): UnreadConversation => ({
  ...{ narrow: { kind: 'direct', userIds: [userId] }, newestId: 1, mentionCount: 0 },
  ...{ count, isMuted },
});

const topics = [topic('followed', 10, 1), topic('other', 20, 2), topic('muted', 40, 3, true)];
const channel = { channelId: 5, count: 30, mutedCount: 40, mentionCount: 6, topics };
const summary = {
  ...{ count: 35, mentionCount: 6, directs: [direct(1, 5), direct(2, 7, true)] },
  channels: new Map([[5, channel]]),
};
const isFollowed = ({ narrow }: UnreadConversation) => narrow.kind === 'topic' && narrow.topic === 'followed';

test.each([
  ['everything', COUNTS.all, 35],
  ['direct messages, mentions and followed topics', COUNTS.withFollowed, 5 + 10 + 2 + 3],
  ['direct messages and mentions', COUNTS.personal, 5 + 1 + 2 + 3],
  ['nothing', COUNTS.none, 0],
])('counts %s', (_name, kind, count) => {
  expect(titleCount(kind, summary, isFollowed)).toBe(count);
});
