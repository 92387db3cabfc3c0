import {
  REALM_PERMISSION_SETTINGS,
  REALM_SETTINGS,
  type RealmPermissionName,
  type RealmSettingName,
  USER_SETTINGS,
  type UserSettingName,
} from '@parley/shared/settings';
import { call } from '../../api/call';
import { readSettings } from '../../store/settings-state';
import { settingLabels } from '../../texts/setting-texts';
import { settingsTexts } from '../../texts/settings-texts';
import { Setting } from './controls';
import { controlOfRealmSetting, controlOfUserSetting, sentValue } from './declared';
import { GroupSettingField } from './group-setting';
import { Part } from './listing';
import {
  PERMISSION_PARTS,
  REALM_SETTING_PARTS,
  type RealmSettingPart,
  USER_SETTING_PARTS,
  type UserSettingPart,
} from './shown-settings';

/** Whose settings a form changes: one's own, or those that new accounts begin with. */
export type Owner = 'self' | 'defaults';

export const changeUserSetting = (owner: Owner, name: UserSettingName, value: unknown) =>
  call('PATCH', owner === 'self' ? '/settings' : '/realm/user_settings_defaults', { [name]: value });

export function userSettingOf(owner: Owner, name: UserSettingName): unknown {
  const { user_settings: own, realm_user_settings_defaults: defaults } = readSettings();
  return (owner === 'self' ? own : defaults)[name];
}

export function UserSettingField({ owner, name }: { owner: Owner; name: UserSettingName }) {
  return (
    <Setting
      name={name}
      label={settingLabels.value.user[name as keyof typeof settingLabels.value.user]}
      control={controlOfUserSetting(name, USER_SETTINGS[name])}
      value={userSettingOf(owner, name)}
      isDisabled={owner === 'defaults' && !readSettings().is_admin}
      save={(value) => changeUserSetting(owner, name, value)}
    />
  );
}

/** Settings of an account that belong together; those that an organization has no default for are left out there. */
export function UserSettingFields({ owner, part }: { owner: Owner; part: UserSettingPart }) {
  const names = USER_SETTING_PARTS[part].filter((name) => owner === 'self' || !USER_SETTINGS[name].isPersonal);
  return (
    <Part title={settingsTexts.value.userParts[part]}>
      {names.map((name) => (
        <UserSettingField key={name} owner={owner} name={name} />
      ))}
    </Part>
  );
}

function RealmSettingField({ name }: { name: RealmSettingName }) {
  const state = readSettings();
  const control = controlOfRealmSetting(name, REALM_SETTINGS[name]);
  return (
    <Setting
      name={name}
      label={settingLabels.value.realm[name as keyof typeof settingLabels.value.realm]}
      control={control}
      value={(state as unknown as Record<string, unknown>)[`realm_${name}`]}
      isDisabled={!(REALM_SETTINGS[name].isForOwners ? state.is_owner : state.is_admin)}
      save={(value) => call('PATCH', '/realm', { [name]: sentValue(control, value) })}
    />
  );
}

export function RealmSettingFields({ part }: { part: RealmSettingPart }) {
  return (
    <Part title={settingsTexts.value.realmParts[part]}>
      {REALM_SETTING_PARTS[part].map((name) => (
        <RealmSettingField key={name} name={name} />
      ))}
    </Part>
  );
}

function PermissionField({ name }: { name: RealmPermissionName }) {
  const state = readSettings('people');
  const value = state[`realm_${name}`];
  return (
    <GroupSettingField
      label={settingLabels.value.permission[name as keyof typeof settingLabels.value.permission]}
      declaration={REALM_PERMISSION_SETTINGS[name]}
      value={value}
      isDisabled={!state.is_admin}
      save={(changed, old) => call('PATCH', '/realm', { [name]: { new: changed, old } })}
    />
  );
}

export function Permissions() {
  return Object.entries(PERMISSION_PARTS).map(([part, names]) => (
    <Part key={part} title={settingsTexts.value.permissionParts[part as keyof typeof PERMISSION_PARTS]}>
      {names.map((name) => (
        <PermissionField key={name} name={name} />
      ))}
    </Part>
  ));
}
