import type { UnreadConversation, UnreadSummary } from '../../store/count-unread';
import { inboxGroups, ranksOf } from './inbox-groups';

const topic = (channelId: number, name: string, changes: Partial<UnreadConversation> = {}): UnreadConversation => ({
  narrow: { kind: 'topic', channelId, topic: name },
  ...{ count: 2, mentionCount: 0, newestId: 1, isMuted: false },
  ...changes,
});
const channel = (channelId: number, topics: UnreadConversation[]) =>
  [channelId, { channelId, count: 0, mutedCount: 0, mentionCount: 0, topics }] as const;
const summary: UnreadSummary = {
  ...{ count: 0, mentionCount: 0 },
  directs: [topic(0, 'Eve')],
  channels: new Map([
    channel(1, [topic(1, 'lunch'), topic(1, 'noise', { isMuted: true })]),
    channel(2, [topic(2, 'news'), topic(2, 'asked', { isMuted: true, mentionCount: 1 })]),
    channel(3, [topic(3, 'all muted', { isMuted: true })]),
  ]),
};
const names = ['', 'zebra', 'apple', 'quiet'];

function describeGroups(words: string, pinned: readonly number[] = []): string[] {
  const labelOf = ({ narrow }: UnreadConversation) => (narrow.kind === 'topic' ? narrow.topic : '');
  const channels = names.map((name, id) => ({ stream_id: id, name, pin_to_top: pinned.includes(id) }));
  const ranks = ranksOf(channels);
  const rankOf = (id: number) => ranks.get(id) ?? 0;
  const facts = { labelOf, channelName: (id: number) => names[id] as string, rankOf };
  return inboxGroups(summary, facts, words).map(
    ({ key, count, conversations }) => `${key} ${count}: ${conversations.map(labelOf).join()}`,
  );
}

test('direct conversations, then channels by name; muted topics only if they mention the person', () => {
  expect(describeGroups('')).toEqual(['directs 2: Eve', 'channel-2 4: news,asked', 'channel-1 2: lunch']);
});

test('pinned channels come first', () => {
  expect(describeGroups('', [1])[1]).toBe('channel-1 2: lunch');
});

test.each([
  ['lu', ['channel-1 2: lunch']],
  ['apple', ['channel-2 4: news,asked']],
  ['nowhere', []],
])('what fits "%s" is left', (words, groups) => {
  expect(describeGroups(words)).toEqual(groups);
});
