import {
  EMAIL_VISIBLE_TO,
  isEmailVisibleTo,
  isUserSettingName,
  LANGUAGES,
  ROLES,
  USER_SETTING_DEFAULTS,
  USER_SETTING_NAMES,
  USER_SETTINGS,
} from './index';

describe('the catalogue of settings', () => {
  test.each(USER_SETTING_NAMES)('%s has a default that it would take', (name) => {
    const { default: value, choices, range, isValid } = USER_SETTINGS[name];
    expect(choices?.includes(value) ?? true).toBe(true);
    expect(isValid?.(String(value)) ?? true).toBe(true);
    if (range) expect(Number(value)).toBe(Math.min(Math.max(Number(value), range.min), range.max));
    // Texts are limited by a list or a check, integers by a range.
    expect(typeof value === 'boolean' || (choices ?? range ?? isValid) !== undefined).toBe(true);
    expect(USER_SETTING_DEFAULTS[name]).toBe(value);
  });

  test('knows its names, but not the properties of every object', () => {
    expect(isUserSettingName('enter_sends')).toBe(true);
    expect(isUserSettingName('constructor')).toBe(false);
  });

  test('languages are called as their speakers call them', () => {
    expect(LANGUAGES['de']).toBe('Deutsch');
  });
});

const { everyone, members, moderators, administrators, nobody } = EMAIL_VISIBLE_TO;

test.each([
  ['owner', [everyone, members, moderators, administrators]],
  ['administrator', [everyone, members, moderators, administrators]],
  ['moderator', [everyone, members, moderators]],
  ['member', [everyone, members]],
  ['guest', [everyone]],
] as const)('an %s sees the addresses of those who show them to %j', (role, visibilities) => {
  const all = [everyone, members, moderators, administrators, nobody];
  expect(all.filter((visibility) => isEmailVisibleTo(ROLES[role], visibility))).toEqual(visibilities);
});
