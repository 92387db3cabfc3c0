import { USER_SETTING_NAMES, USER_SETTINGS } from '@parley/shared/values';
import { sentSettings } from './begin-settings';
import { settingsDefaultsFromInput, settingsFromInput } from './settings-from-input';

test('every setting takes its default', () => {
  const settings = settingsFromInput(sentSettings({}));
  expect(settings).toEqual(Object.fromEntries(USER_SETTING_NAMES.map((name) => [name, USER_SETTINGS[name].default])));
  expect(settings).toMatchObject({ enter_sends: false, user_list_style: 3, default_language: 'en' });
});

test.each([
  [{ name: 'color_scheme', integer: 3 }, { color_scheme: 3 }],
  [{ name: 'web_channel_default_view', integer: 3 }, { web_channel_default_view: 3 }],
  [{ name: 'default_language', text: 'pt-br' }, { default_language: 'pt-br' }],
  [{ name: 'notification_sound', text: 'none' }, { notification_sound: 'none' }],
  [{ name: 'email_notifications_batching_period_seconds', integer: 604_800 }, {}],
  // Values of clients before level 454.
  [{ name: 'web_home_view', text: 'recent_topics' }, { web_home_view: 'recent' }],
])('%j is taken', (sent, expected) => expect(settingsFromInput([sent])).toMatchObject(expected));

test.each([
  [{ name: 'enter_sends', integer: 1 }, 'enter_sends is not a boolean'],
  [{ name: 'color_scheme', text: '1' }, 'color_scheme is not an integer'],
  [{ name: 'emojiset', boolean: true }, 'emojiset is not a string'],
  [{ name: 'emojiset' }, 'emojiset is not a string'],
  [{ name: 'color_scheme', integer: 4 }, 'Invalid color_scheme: Value error, Not in the list of possible values'],
  [{ name: 'emojiset', text: 'apple' }, 'Invalid emojiset: Value error, Not in the list of possible values'],
  [{ name: 'default_language', text: 'tlh' }, 'Invalid default_language'],
  [{ name: 'default_language', text: 'constructor' }, 'Invalid default_language'],
  [{ name: 'notification_sound', text: 'moo' }, "Invalid notification sound 'moo'"],
  [{ name: 'email_notifications_batching_period_seconds', integer: 0 }, 'Invalid email batching period: 0 seconds'],
  [
    { name: 'email_notifications_batching_period_seconds', integer: 604_801 },
    'Invalid email batching period: 604801 seconds',
  ],
  [{ name: 'web_font_size_px', integer: 0 }, 'web_font_size_px is too small'],
  [{ name: 'web_line_height_percent', integer: 1_001 }, 'web_line_height_percent is too large'],
  [{ name: 'toString', boolean: true }, "There is no setting 'toString'"],
])('%j is refused', (sent, message) => expect(() => settingsFromInput([sent])).toThrow(message));

test.each(['default_language', 'enable_login_emails', 'enable_marketing_emails', 'allow_private_data_export'])(
  'organizations have no default for %s',
  (name) => {
    expect(() => settingsDefaultsFromInput([{ name, boolean: true }])).toThrow(
      `Organizations have no default for '${name}'`,
    );
  },
);
