import {
  getReadReceipts,
  markAllAsRead,
  markChannelAsRead,
  markTopicAsRead,
  updateFlags,
  updateFlagsInNarrow,
} from '../../src/endpoints';
import { formBody, startGateway, type TestGateway } from '../gateway';

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startGateway();
});
afterEach(() => gateway.stop());

const SUCCESS = { result: 'success', msg: '' };
const send = (method: string, path: string, form: Record<string, string> = {}) =>
  gateway.request({ method, path: `/api/v1${path}`, ...formBody(form) });
const asked = (name: Parameters<TestGateway['messages']['last']>[0]) => gateway.messages.last(name);
const answer = (answers: Partial<TestGateway['messages']['answers']>) =>
  Object.assign(gateway.messages.answers, answers);

describe('POST /messages/flags', () => {
  beforeEach(() => answer({ updateFlags: async () => ({ changedIds: [2], ignoredChannelIds: [9] }) }));

  test('answers the requested messages, including unchanged ones', async () => {
    const { json: body } = await gateway.call(updateFlags, { messages: [3, 2, 3], op: 'add', flag: 'starred' });
    expect(body).toEqual({ ...SUCCESS, messages: [3, 2, 3] });
    expect(asked('updateFlags')).toEqual({ messageIds: [3, 2, 3], op: 'add', flag: 'starred' });
  });

  test('lists the channels left out when messages become unread', async () => {
    const { json: body } = await gateway.call(updateFlags, { messages: [2], op: 'remove', flag: 'read' });
    expect(body).toEqual({ ...SUCCESS, messages: [2], ignored_because_not_subscribed_channels: [9] });
  });

  test.each([
    [{}, "Missing 'messages' argument"],
    [{ messages: '5', op: 'add', flag: 'read' }, 'messages is not a list'],
    [{ messages: '["5"]', op: 'add', flag: 'read' }, 'messages[0] is not an integer'],
    [{ messages: '[5]', flag: 'read' }, "Missing 'op' argument"],
  ])('refuses %j: %s', async (form, msg) => {
    const { status, json: body } = await send('POST', '/messages/flags', form as Record<string, string>);
    expect([status, body]).toMatchObject([400, { msg }]);
  });
});

describe('POST /messages/flags/narrow', () => {
  const empty = { processedCount: 0, updatedCount: 0, foundOldest: true, foundNewest: true, ignoredChannelIds: [] };
  beforeEach(() => answer({ updateFlagsInNarrow: async () => empty }));
  const around = { anchor: 'newest', narrow: [], op: 'add', flag: 'read' };

  test('answers null for the ends of an empty range', async () => {
    const { json: body } = await gateway.call(updateFlagsInNarrow, { ...around, num_before: 10, num_after: 0 });
    expect(body).toEqual({
      ...SUCCESS,
      processed_count: 0,
      updated_count: 0,
      first_processed_id: null,
      last_processed_id: null,
      found_oldest: true,
      found_newest: true,
    });
  });

  test('answers the ends of the range', async () => {
    answer({
      updateFlagsInNarrow: async () => ({ ...empty, processedCount: 2, firstProcessedId: 4, lastProcessedId: 9 }),
    });
    const { json: body } = await gateway.call(updateFlagsInNarrow, {
      ...around,
      op: 'remove',
      num_before: 1,
      num_after: 1,
    });
    expect(body).toMatchObject({
      first_processed_id: 4,
      last_processed_id: 9,
      ignored_because_not_subscribed_channels: [],
    });
  });

  test.each([
    [5_000, 0, 5_000, 0],
    [6_000, 0, 5_000, 0],
    [0, 6_000, 0, 5_000],
    [6_000, 6_000, 2_500, 2_500],
    [4_000, 2_000, 3_000, 2_000],
    [1_000, 9_000, 1_000, 4_000],
  ])('%d before and %d after become %d and %d', async (num_before, num_after, numBefore, numAfter) => {
    await gateway.call(updateFlagsInNarrow, { ...around, num_before, num_after });
    expect(asked('updateFlagsInNarrow')).toMatchObject({
      anchorKind: 'newest',
      numBefore,
      numAfter,
      includeAnchor: true,
    });
  });

  test.each([
    [{ num_before: '1', num_after: '1', narrow: '[]', op: 'add', flag: 'read' }, "Missing 'anchor' argument"],
    [{ anchor: '5', num_after: '1', narrow: '[]', op: 'add', flag: 'read' }, "Missing 'num_before' argument"],
    [{ anchor: '5', num_before: '1', num_after: '1', op: 'add', flag: 'read' }, "Missing 'narrow' argument"],
    [
      { anchor: '5', num_before: '-1', num_after: '1', narrow: '[]', op: 'add', flag: 'read' },
      'num_before is too small',
    ],
  ])('refuses %j: %s', async (form, msg) => {
    const { status, json: body } = await send('POST', '/messages/flags/narrow', form as Record<string, string>);
    expect([status, body]).toMatchObject([400, { msg }]);
  });
});

test('marking as read passes the conversation on', async () => {
  const nothing = async () => ({});
  answer({ markAllAsRead: nothing, markChannelAsRead: nothing, markTopicAsRead: nothing });
  expect((await gateway.call(markAllAsRead, {})).json).toEqual({ ...SUCCESS, complete: true });
  expect((await gateway.call(markChannelAsRead, { stream_id: 7 })).json).toEqual(SUCCESS);
  expect(asked('markChannelAsRead')).toEqual({ channelId: 7 });
  expect((await gateway.call(markTopicAsRead, { stream_id: 7, topic_name: '' })).json).toEqual(SUCCESS);
  expect(asked('markTopicAsRead')).toEqual({ channelId: 7, topic: '' });
});

test('GET /messages/{id}/read_receipts answers the readers', async () => {
  answer({ getReadReceipts: async () => ({ userIds: [4, 5] }) });
  expect((await gateway.call(getReadReceipts, { message_id: 12 })).json).toEqual({ ...SUCCESS, user_ids: [4, 5] });
  expect(asked('getReadReceipts')).toEqual({ messageId: 12 });
});

describe('POST /register', () => {
  const register = async (types: string[], capabilities = {}) => {
    const form = { event_types: JSON.stringify(types), client_capabilities: JSON.stringify(capabilities) };
    const {
      unread_msgs: unread,
      starred_messages: starred,
      max_message_id: max,
      recent_private_conversations: recent,
    } = (await send('POST', '/register', form)).json as Record<string, unknown>;
    return { unread, starred, max, ...(recent !== undefined && { recent }) };
  };
  beforeEach(() =>
    answer({
      getMessageState: async (_call, { includesUnread, includesStarred }) => ({
        maxMessageId: 99,
        recentDirects: [
          { maxMessageId: 13, participantIds: [11] },
          { maxMessageId: 12, participantIds: [1, 2, 11] },
        ],
        starredIds: includesStarred ? [3, 4] : [],
        ...(includesUnread && {
          unread: {
            count: 4,
            directs: [
              { participantIds: [1, 7], messageIds: [10] },
              { participantIds: [1, 2, 7], messageIds: [11, 12] },
              { participantIds: [7], messageIds: [13] },
            ],
            topics: [{ channelId: 5, topic: '', messageIds: [14] }],
            mentionIds: [14],
            hasOlder: false,
          },
        }),
      }),
    }),
  );

  test('lists unread messages by conversation', async () => {
    const { unread } = await register(['message', 'update_message_flags'], { empty_topic_name: true });
    expect(unread).toMatchObject({
      count: 4,
      streams: [{ stream_id: 5, topic: '', unread_message_ids: [14] }],
      huddles: [{ user_ids_string: '1,2,7', unread_message_ids: [11, 12] }],
      mentions: [14],
      old_unreads_missing: false,
    });
    expect((unread as { pms: unknown[] }).pms).toHaveLength(2);
  });

  test('shows the empty topic to older clients by its name', async () => {
    const { unread } = await register(['message', 'update_message_flags']);
    expect(unread).toMatchObject({ streams: [{ topic: 'general chat' }] });
  });

  test.each([
    [['message'], { max: 99 }],
    [['update_message_flags'], {}],
    [['starred_messages'], { starred: [3, 4] }],
    [['message', 'starred_messages'], { max: 99, starred: [3, 4] }],
    [
      ['recent_private_conversations'],
      {
        recent: [
          { max_message_id: 13, user_ids: [] },
          { max_message_id: 12, user_ids: [1, 2] },
        ],
      },
    ],
  ])('%j: %j', async (types, expected) => {
    expect(await register(types)).toEqual({ unread: undefined, starred: undefined, max: undefined, ...expected });
  });
});
