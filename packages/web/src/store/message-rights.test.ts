import { registered } from '../../test/registered';
import { isResolved, type MessageRights, rightsOver, toggled, withoutMark } from './message-rights';
import type { Message } from './messages';
import { takeNews } from './model';

const SENT = 1_000;
const [EVERYBODY, NOBODY] = [1, 2];
const CHANNEL = {
  ...{ stream_id: 5, name: 'general', is_archived: false },
  ...{ can_delete_any_message_group: NOBODY, can_delete_own_message_group: NOBODY, can_resolve_topics_group: NOBODY },
  ...{ can_move_messages_out_of_channel_group: NOBODY, can_move_messages_within_channel_group: NOBODY },
};
const SETTINGS = {
  ...{ realm_allow_message_editing: true, realm_message_content_edit_limit_seconds: 600 },
  ...{ realm_can_delete_any_message_group: NOBODY, realm_can_delete_own_message_group: EVERYBODY },
  ...{ realm_message_content_delete_limit_seconds: 600, realm_message_edit_history_visibility_policy: 'all' },
  ...{ realm_can_move_messages_between_topics_group: EVERYBODY, realm_move_messages_within_stream_limit_seconds: 900 },
  ...{ realm_can_move_messages_between_channels_group: NOBODY, realm_can_resolve_topics_group: EVERYBODY },
  ...{ realm_move_messages_between_streams_limit_seconds: null, realm_enable_read_receipts: true },
  ...{ realm_moderation_request_channel_id: 5, realm_users: [], realm_non_active_users: [], cross_realm_bots: [] },
};

function rights(message: Partial<Message>, now: number, settings = {}, channel = {}): Partial<MessageRights> {
  const streams = [{ ...CHANNEL, ...channel }];
  takeNews({ kind: 'state', state: { ...registered(), ...SETTINGS, streams, ...settings } });
  const own = { id: 7, sender_id: 11, timestamp: SENT, stream_id: 5, subject: 'lunch', submessages: [], flags: [] };
  return rightsOver({ ...own, ...message } as unknown as Message, now);
}

test.each<[string, Partial<Message>, number, object, object, Partial<MessageRights>]>([
  [
    'one’s own, at once',
    {},
    SENT + 1,
    {},
    {},
    { mayEdit: true, mayDelete: true, mayReport: false, editableUntil: 1_600 },
  ],
  ['one’s own, too late', {}, SENT + 600, {}, {}, { mayEdit: false, mayDelete: false, mayMoveToTopic: true }],
  ['one’s own, much too late', {}, SENT + 900, {}, {}, { mayMoveToTopic: false, mayResolve: true }],
  ['a moderator is not late', {}, SENT + 900, { is_moderator: true }, {}, { mayMoveToTopic: true, mayEdit: false }],
  ['another’s', { sender_id: 9 }, SENT + 1, {}, {}, { mayEdit: false, mayDelete: false, mayReport: true }],
  [
    'another’s, by those who may',
    { sender_id: 9 },
    SENT + 900,
    { realm_can_delete_any_message_group: EVERYBODY },
    {},
    { mayDelete: true },
  ],
  [
    'another’s, by those who may in the channel',
    { sender_id: 9 },
    SENT,
    {},
    { can_delete_any_message_group: EVERYBODY },
    { mayDelete: true },
  ],
  [
    'to another channel, by those who may',
    {},
    SENT,
    {},
    { can_move_messages_out_of_channel_group: EVERYBODY },
    { mayMoveToChannel: true },
  ],
  [
    'in an archived channel',
    {},
    SENT,
    {},
    { is_archived: true },
    { mayEdit: false, mayDelete: false, mayResolve: false },
  ],
  ['in general chat', { subject: '' }, SENT, {}, {}, { mayResolve: false, mayMoveToTopic: true }],
  ['where editing is off', {}, SENT, { realm_allow_message_editing: false }, {}, { mayEdit: false }],
  [
    'where there is no limit',
    {},
    1e9,
    { realm_message_content_edit_limit_seconds: null },
    {},
    { mayEdit: true, editableUntil: null },
  ],
  [
    'moved',
    { last_moved_timestamp: 1 },
    SENT,
    { realm_message_edit_history_visibility_policy: 'moves' },
    {},
    { maySeeHistory: true },
  ],
  [
    'edited',
    { last_edit_timestamp: 1 },
    SENT,
    { realm_message_edit_history_visibility_policy: 'moves' },
    {},
    { maySeeHistory: false },
  ],
])('a message: %s', (_, message, now, settings, channel, expected) => {
  expect(rights(message, now, settings, channel)).toMatchObject(expected);
});

test('a resolved topic has a mark, which is not a part of its name', () => {
  expect([toggled('lunch'), toggled('✔ lunch')]).toEqual(['✔ lunch', 'lunch']);
  expect([isResolved('✔ lunch'), isResolved('lunch'), withoutMark('✔ ✔ lunch')]).toEqual([true, false, 'lunch']);
});

test.each<[string, object, object, boolean]>([
  ['in a channel that one is in', {}, { pin_to_top: false }, true],
  ['in a channel that one is not in', {}, {}, false],
  ['in an archived one', {}, { pin_to_top: false, is_archived: true }, false],
  ['a direct one', { stream_id: undefined }, {}, true],
])('a message may be marked as unread: %s', (_case, message, channel, expected) => {
  expect(rights(message, SENT, {}, channel)).toMatchObject({ mayMarkUnread: expected });
});
