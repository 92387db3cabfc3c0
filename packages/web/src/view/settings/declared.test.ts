import { REALM_SETTINGS, type RealmSettingName, USER_SETTINGS, type UserSettingName } from '@parley/shared/settings';
import { type Control, controlOfRealmSetting, controlOfUserSetting, sentValue } from './declared';

test.each<[UserSettingName, Control]>([
  ['enter_sends', { kind: 'flag' }],
  ['color_scheme', { kind: 'choice', values: [1, 2, 3] }],
  ['default_language', { kind: 'language' }],
  ['web_font_size_px', { kind: 'number', min: 1, max: 200, isDuration: false, without: undefined }],
  [
    'email_notifications_batching_period_seconds',
    { kind: 'number', min: 1, max: 604_800, isDuration: true, without: undefined },
  ],
])('the account’s %s is shown as declared', (name, control) => {
  expect(controlOfUserSetting(name, USER_SETTINGS[name])).toEqual(control);
});

const MOST = 2 ** 31 - 1;
const editLimit: Control = {
  ...{ kind: 'number', min: 1, max: MOST, isDuration: true },
  without: { word: 'unlimited', value: null },
};
const callServer: Control = { kind: 'text', maxLength: 200, emptyWord: 'default' };

test.each<[RealmSettingName, Control]>([
  ['invite_required', { kind: 'flag' }],
  ['authentication_methods', { kind: 'methods' }],
  ['signup_announcements_stream_id', { kind: 'channel' }],
  ['topics_policy', { kind: 'choice', values: ['allow_empty_topic', 'disable_empty_topic'] }],
  ['default_language', { kind: 'language' }],
  ['message_content_edit_limit_seconds', editLimit],
  ['jitsi_server_url', callServer],
  ['welcome_message_custom_text', { kind: 'text', maxLength: 8_000, emptyWord: undefined }],
])('the organization’s %s is shown as declared', (name, control) => {
  expect(controlOfRealmSetting(name, REALM_SETTINGS[name])).toEqual(control);
});

test.each<[string, Control, unknown, unknown]>([
  ['a number', editLimit, 600, 600],
  ['no limit', editLimit, null, '"unlimited"'],
  ['a text beside words', callServer, 'https://call.example', '"https://call.example"'],
  ['an empty text beside words', callServer, '', '"default"'],
  ['a plain text', { kind: 'text', maxLength: 10, emptyWord: undefined }, 'abc', 'abc'],
  ['a flag', { kind: 'flag' }, true, true],
])('%s is sent as the API takes it', (_name, control, value, sent) => {
  expect(sentValue(control, value)).toBe(sent);
});
