import type { Message } from '../../store/messages';
import { itemsOf, type ListItem } from './list-items';

const NOON = new Date(2026, 2, 1, 12).getTime() / 1_000;

function written(id: number, changes: Partial<Message> = {}): Message {
  return {
    ...{ id, sender_id: 9, sender_full_name: 'Ann', avatar_url: null, content: '<p>Soup</p>', timestamp: NOON + id },
    ...{ type: 'stream', stream_id: 5, subject: 'lunch', display_recipient: 'general', reactions: [], flags: ['read'] },
    ...{ submessages: [] },
    ...changes,
  };
}

const short = (item: ListItem) => `${item.kind === 'message' && item.isFollowing ? 'following' : item.kind} ${item.id}`;

test.each<[string, Message[], { isWhole: boolean; firstUnreadId: number | null }, string[]]>([
  ['nothing', [], { isWhole: true, firstUnreadId: null }, []],
  [
    'the same sender follows, another one does not',
    [written(1), written(2), written(3, { sender_id: 11 })],
    { isWhole: true, firstUnreadId: null },
    ['day 1', 'message 1', 'following 2', 'message 3'],
  ],
  [
    'somebody who waits has a name again',
    [written(1), written(2, { timestamp: NOON + 601 })],
    { isWhole: true, firstUnreadId: null },
    ['day 1', 'message 1', 'message 2'],
  ],
  [
    'a new day, and the line of new messages',
    [written(1), written(2, { timestamp: NOON + 86_400 }), written(3, { timestamp: NOON + 86_401 })],
    { isWhole: true, firstUnreadId: 3 },
    ['day 1', 'message 1', 'day 2', 'message 2', 'unread 3', 'message 3'],
  ],
  [
    'conversations where they begin; topics ignore case',
    [written(1), written(2, { subject: 'Lunch' }), written(3, { subject: 'dinner' })],
    { isWhole: false, firstUnreadId: null },
    ['day 1', 'conversation 1', 'message 1', 'following 2', 'conversation 3', 'message 3'],
  ],
  [
    'a message about oneself has a name',
    [written(1), written(2, { is_me_message: true }), written(3)],
    { isWhole: true, firstUnreadId: null },
    ['day 1', 'message 1', 'message 2', 'message 3'],
  ],
])('%s', (_, messages, options, expected) => {
  expect(itemsOf(messages, options).map(short)).toEqual(expected);
});
