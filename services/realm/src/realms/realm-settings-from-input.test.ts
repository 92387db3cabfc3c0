import { REALM_SETTING_DEFAULTS, REALM_SETTING_NAMES, REALM_SETTINGS } from '@parley/shared/values';
import { realmSettingsFromInput } from './realm-changes';

const read = (settings: Record<string, unknown>) => realmSettingsFromInput(JSON.stringify(settings));

// Settings whose default is written as a word.
const SAID_BY_WORDS = ['message_retention_days', 'jitsi_server_url'];

test.each(REALM_SETTING_NAMES.filter((name) => !SAID_BY_WORDS.includes(name)))('%s takes its default', (name) => {
  const value = REALM_SETTINGS[name].default;
  expect(read({ [name]: value })).toEqual({ [name]: value });
});

test.each([
  [{ message_retention_days: 'unlimited' }, { message_retention_days: -1 }],
  [{ message_retention_days: 30 }, { message_retention_days: 30 }],
  [{ message_content_edit_limit_seconds: 'unlimited' }, { message_content_edit_limit_seconds: null }],
  [{ jitsi_server_url: 'default' }, { jitsi_server_url: null }],
  [{ jitsi_server_url: 'https://meet.example/x' }, { jitsi_server_url: 'https://meet.example/x' }],
  [{ welcome_message_custom_text: 'two\nlines' }, { welcome_message_custom_text: 'two\nlines' }],
  [{ welcome_message_custom_text: '😀'.repeat(8_000) }, { welcome_message_custom_text: '😀'.repeat(8_000) }],
  [{ org_type: 1000 }, { org_type: 1000 }],
  [{ new_stream_announcements_stream_id: 5 }, { new_stream_announcements_stream_id: 5 }],
])('%j is taken', (sent, meant) => {
  expect(read(sent)).toEqual(meant);
});

test.each([
  [{ org_type: 1 }, 'Invalid org_type: Value error, Not in the list of possible values'],
  [{ digest_weekday: 7 }, 'Invalid digest_weekday: Value error, Not in the list of possible values'],
  [{ digest_weekday: 1.5 }, 'digest_weekday is not an integer'],
  [{ invite_required: 1 }, 'invite_required is not a boolean'],
  [{ invite_required: null }, 'invite_required is not a boolean'],
  [{ default_language: 'tlh' }, "Invalid language 'tlh'"],
  [{ video_chat_provider: 3 }, 'Invalid video_chat_provider 3'],
  [{ giphy_rating: 6 }, 'Invalid giphy_rating 6'],
  [{ topics_policy: 'empty_topic_only' }, 'Invalid topics_policy'],
  [{ message_edit_history_visibility_policy: '' }, 'Invalid message_edit_history_visibility_policy'],
  [{ waiting_period_threshold: -1 }, 'waiting_period_threshold is too small'],
  [{ waiting_period_threshold: 100_001 }, 'waiting_period_threshold is too large'],
  [{ signup_announcements_stream_id: -2 }, 'signup_announcements_stream_id is too small'],
  [{ message_content_delete_limit_seconds: 2 ** 31 }, 'message_content_delete_limit_seconds is too large'],
  [{ message_content_delete_limit_seconds: true }, 'message_content_delete_limit_seconds is not an integer'],
  [
    { welcome_message_custom_text: 'x'.repeat(8_001) },
    'welcome_message_custom_text is too long (limit: 8000 characters)',
  ],
  [{ welcome_message_custom_text: 'a\0' }, 'Invalid character in welcome_message_custom_text, at position 2.'],
  [{ jitsi_server_url: 'meet.example' }, 'jitsi_server_url is not an allowed_type'],
  [{ jitsi_server_url: 'javascript:alert(1)' }, 'jitsi_server_url is not an allowed_type'],
  [{ jitsi_server_url: `https://x/${'x'.repeat(200)}` }, 'jitsi_server_url is not an allowed_type'],
  [{ jitsi_server_url: 'https://x/\u0001' }, 'jitsi_server_url is not an allowed_type'],
  [{ authentication_methods: true }, 'authentication_methods is not a dict'],
  [{ no_such_setting: 1 }, "There is no setting 'no_such_setting'"],
])('%j is refused', (sent, message) => {
  expect(() => read(sent)).toThrow(message);
});

test.each([0, -5, '600', '', 'none'])('%j is no limit', (value) => {
  const names = ['message_retention_days', 'message_content_edit_limit_seconds'];
  for (const name of names) {
    expect(() => read({ [name]: value })).toThrow(
      expect.objectContaining({
        code: 'REQUEST_VARIABLE_INVALID',
        message: `Bad value for '${name}': ${value}`,
        fields: { var_name: name, bad_value: value },
      }),
    );
  }
});

test('of several errors the first in the catalogue’s order is reported', () => {
  expect(() => read({ giphy_rating: 9, org_type: 9 })).toThrow('Invalid org_type');
});

test('defaults are those documented for a new organization', () => {
  expect(REALM_SETTING_DEFAULTS).toMatchObject({
    invite_required: true,
    message_content_edit_limit_seconds: 600,
    move_messages_within_stream_limit_seconds: 604_800,
    video_chat_provider: 1,
    giphy_rating: 2,
    digest_weekday: 1,
    moderation_request_channel_id: -1,
  });
});
