import type { ClientView } from './declare-event';
import { type FlagsChanged, flagsChanged, type UnreadDetails } from './flags';

const [shape] = flagsChanged.publicShapes;
const view = (isEmptyTopicUnderstood: boolean): ClientView => ({
  applyMarkdown: true,
  clientGravatar: true,
  isEmptyTopicUnderstood,
  capabilities: [],
});
const fact = { userId: 7, op: 'remove', flag: 'read', isAll: false } as const;

test('new flags are announced to their user only', () => {
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

describe('two changes in a row', () => {
  const starred = (fields: Partial<FlagsChanged>): FlagsChanged => ({
    ...fact,
    op: 'add',
    flag: 'starred',
    messageIds: [4],
    ...fields,
  });

  test.each<[string, FlagsChanged, FlagsChanged, number[] | null]>([
    ['of the same kind', starred({}), starred({ messageIds: [6, 5] }), [4, 6, 5]],
    ['about the same message', starred({}), starred({}), [4]],
    ['to and fro', starred({}), starred({ op: 'remove' }), null],
    ['of different flags', starred({}), starred({ flag: 'read' }), null],
    [
      'of which one is about all',
      starred({ flag: 'read', isAll: true, messageIds: [] }),
      starred({ flag: 'read' }),
      null,
    ],
    ['to unread', starred({ ...fact }), starred({ ...fact, messageIds: [5] }), null],
    ['that say where they are', starred({ details: [] }), starred({}), null],
    ['to very many', starred({ messageIds: Array.from({ length: 5_000 }, (_, id) => id + 10) }), starred({}), null],
  ])('%s are one, or stay two', (_, earlier, later, together) => {
    const joined = shape?.join?.(earlier, later);
    expect(joined && shape?.render(joined, view(true)).messages).toEqual(together);
  });

  test('thousands of them are joined in no time', () => {
    const changes = Array.from({ length: 4_999 }, (_, id) => starred({ messageIds: [id + 10] }));
    // Processor time of the best of three: other tests run beside this one.
    const milliseconds = [1, 2, 3].map(() => {
      const began = process.cpuUsage();
      const joined = changes.reduce((earlier, later) => shape?.join?.(earlier, later) ?? earlier, starred({}));
      expect(joined.messageIds).toHaveLength(5_000);
      return process.cpuUsage(began).user / 1_000;
    });
    expect(Math.min(...milliseconds)).toBeLessThan(300);
  });
});
