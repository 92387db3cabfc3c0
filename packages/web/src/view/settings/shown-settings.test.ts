import {
  GROUP_PERMISSION_SETTINGS,
  REALM_PERMISSION_SETTINGS,
  REALM_SETTINGS,
  USER_SETTINGS,
} from '@parley/shared/settings';
import { SETTING_LABELS } from '@parley/shared/texts/setting-labels';
import { controlOfRealmSetting, controlOfUserSetting } from './declared';
import {
  NOTIFICATION_KINDS,
  PERMISSION_PARTS,
  PERMISSIONS_LEFT_OUT,
  REALM_SETTING_PARTS,
  REALM_SETTINGS_LEFT_OUT,
  USER_SETTING_PARTS,
  USER_SETTINGS_LEFT_OUT,
} from './shown-settings';

const namesOf = (parts: Readonly<Record<string, readonly (string | null)[]>>) =>
  Object.values(parts)
    .flat()
    .filter((name) => name !== null);

const shown = {
  user: [...namesOf(USER_SETTING_PARTS), ...namesOf(NOTIFICATION_KINDS)],
  realm: namesOf(REALM_SETTING_PARTS),
  permission: namesOf(PERMISSION_PARTS),
  group: Object.keys(GROUP_PERMISSION_SETTINGS),
};

test.each([
  ['an account', USER_SETTINGS, shown.user, USER_SETTINGS_LEFT_OUT],
  ['the organization', REALM_SETTINGS, shown.realm, REALM_SETTINGS_LEFT_OUT],
  ['permissions', REALM_PERMISSION_SETTINGS, shown.permission, PERMISSIONS_LEFT_OUT],
])('each declared setting of %s is shown once, or left out for a reason', (_of, declared, names, leftOut) => {
  expect([...names, ...Object.keys(leftOut)].sort()).toEqual(Object.keys(declared).sort());
  expect(Object.values(leftOut).every((reason) => reason.length > 0)).toBe(true);
});

describe.each([
  ['English', SETTING_LABELS.en],
  ['German', SETTING_LABELS.de],
])('in %s', (_language, { settingLabels, choiceLabels }) => {
  test('each setting that is shown has a label, and no other has', () => {
    for (const kind of ['user', 'realm', 'permission', 'group'] as const) {
      expect(Object.keys(settingLabels[kind]).sort()).toEqual([...shown[kind]].sort());
    }
  });

  test('each choice has a label', () => {
    const controls = [
      ...Object.entries(USER_SETTINGS).map(([name, setting]) => [name, controlOfUserSetting(name, setting)] as const),
      ...Object.entries(REALM_SETTINGS).map(([name, setting]) => [name, controlOfRealmSetting(name, setting)] as const),
    ].filter(([name]) => shown.user.includes(name) || shown.realm.includes(name));
    const unnamed = controls.flatMap(([name, control]) =>
      control.kind === 'choice' ? control.values.filter((value) => !choiceLabels[name]?.[String(value)]) : [],
    );
    expect(unnamed).toEqual([]);
  });
});
