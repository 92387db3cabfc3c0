import type { ClientView } from './declare-event';
import { type MessageEdited, messageEdited } from './message-edited';
import { messageDeleted, messagesDeleted, messagesDeletedSingly } from './messages-deleted';

const VIEW: ClientView = { applyMarkdown: true, clientGravatar: true, isEmptyTopicUnderstood: false, capabilities: [] };
const BULK: ClientView = { ...VIEW, isEmptyTopicUnderstood: true, capabilities: ['bulk_message_deletion'] };
const [edited] = messageEdited.publicShapes;

const EDIT: MessageEdited = {
  editorId: 1,
  editedAtMs: 5_000,
  messageId: 8,
  messageIds: [8],
  channel: { id: 7, name: 'lobby' },
  audience: { to: 'users', userIds: [1, 2] },
  senderId: 1,
  text: 'b',
  sentAtMs: 4_000,
  mentionedIds: [2],
  mentionsChannel: true,
  mentionsTopic: false,
};
const CONTENT = {
  prevContent: 'a',
  prevRenderedContent: '<p>a</p>',
  content: 'b',
  renderedContent: '<p>b</p>',
  isMeMessage: false,
};
const render = (payload: MessageEdited, view = VIEW) => edited?.render(payload, view);
const COMMON = {
  type: 'update_message',
  edit_timestamp: 5,
  message_id: 8,
  message_ids: [8],
  stream_id: 7,
  stream_name: 'lobby',
};

test('an edit of the content contains the previous content', () => {
  expect(render({ ...EDIT, content: CONTENT })).toEqual({
    ...COMMON,
    user_id: 1,
    rendering_only: false,
    orig_content: 'a',
    orig_rendered_content: '<p>a</p>',
    content: 'b',
    rendered_content: '<p>b</p>',
    is_me_message: false,
  });
});

test('a mere rendering has no editor', () => {
  expect(render({ ...EDIT, editorId: null, content: CONTENT })).toEqual({
    ...COMMON,
    user_id: null,
    rendering_only: true,
    content: 'b',
    rendered_content: '<p>b</p>',
    is_me_message: false,
  });
});

test('a move contains the changed part of the location', () => {
  const move = { propagateMode: 'change_all', prevTopic: 'lunch' };
  const moved = { ...COMMON, user_id: 1, rendering_only: false, propagate_mode: 'change_all', orig_subject: 'lunch' };
  expect(render({ ...EDIT, move: { ...move, channelId: 9 } })).toEqual({ ...moved, new_stream_id: 9 });
  const toEmpty = { ...EDIT, move: { ...move, topic: '', topicLinks: [] } };
  expect(render(toEmpty)).toEqual({ ...moved, subject: 'general chat', topic_links: [] });
  expect(render(toEmpty, BULK)).toMatchObject({ subject: '' });
});

test('everybody gets their flags on the message as it is now', () => {
  expect(edited?.flaggedMessageId?.(EDIT)).toBe(8);
  const flagsOf = (userId: number, isRead: boolean) =>
    edited?.personal?.(EDIT)({
      userId,
      queueId: 'q',
      alertWords: [{ word: 'b', addedAtMs: 0 }],
      hasMuted: () => false,
      ownFlags: { isRead, isStarred: false, isCollapsed: false },
    });
  const wildcards = ['stream_wildcard_mentioned', 'wildcard_mentioned'];
  expect(flagsOf(1, true)).toEqual({ flags: ['read', ...wildcards, 'has_alert_word'] });
  expect(flagsOf(2, false)).toEqual({ flags: ['mentioned', ...wildcards, 'has_alert_word'] });
});

test('a deletion is one event for clients that support it, and one event for each message for others', () => {
  const [bulk, single] = [messagesDeleted.publicShapes[0], messageDeleted.publicShapes[0]];
  const common = { channel: { id: 7, topic: '' }, audience: EDIT.audience };
  const [many, one] = [
    { messageIds: [8, 9], ...common },
    { messageId: 8, ...common },
  ];
  expect([bulk?.isFor?.(many, BULK), bulk?.isFor?.(many, VIEW)]).toEqual([true, false]);
  expect([single?.isFor?.(one, BULK), single?.isFor?.(one, VIEW)]).toEqual([false, true]);
  const gone = { type: 'delete_message', message_type: 'stream', stream_id: 7 };
  expect(bulk?.render(many, BULK)).toEqual({ ...gone, topic: '', message_ids: [8, 9] });
  expect(single?.render(one, VIEW)).toEqual({ ...gone, topic: 'general chat', message_id: 8 });
  const direct = { messageId: 8, audience: EDIT.audience };
  expect(single?.render(direct, VIEW)).toEqual({ type: 'delete_message', message_type: 'private', message_id: 8 });
  // The same, for many messages.
  const [singly] = messagesDeletedSingly.publicShapes;
  expect([singly?.isFor?.(many, BULK), singly?.isFor?.(many, VIEW)]).toEqual([false, true]);
  expect(singly?.parts?.(many).map((part) => singly.render(part, VIEW))).toEqual([
    { ...gone, topic: 'general chat', message_id: 8 },
    { ...gone, topic: 'general chat', message_id: 9 },
  ]);
});
