import { REALM_PERMISSION_SETTINGS, type RealmPermissionName } from '@parley/shared/access';
import { REALM_SETTING_NAMES, REALM_SETTINGS, type RealmSettingName } from '@parley/shared/values';
import { z } from 'zod';
import { json, type Parameter, text } from '../../http/parameters';
import { groupSettingChangeSchema } from '../../wire/group-setting';

type SettingParameter = Parameter<unknown, unknown>;
type Change = z.infer<typeof groupSettingChangeSchema> | undefined;

export const REALM_PERMISSION_NAMES = Object.keys(REALM_PERMISSION_SETTINGS) as RealmPermissionName[];

/** Their types are checked here, their values by realm, in the API's words. */
export const settingParameters = Object.fromEntries(
  REALM_SETTING_NAMES.map((name) => [name, parameterOf(name)]),
) as Record<RealmSettingName, SettingParameter>;

export const permissionParameters = Object.fromEntries(
  REALM_PERMISSION_NAMES.map((name) => [name, json(groupSettingChangeSchema.optional())]),
) as Record<RealmPermissionName, Parameter<Change, Change>>;

function parameterOf(name: RealmSettingName): SettingParameter {
  const { type, choices, words } = REALM_SETTINGS[name];
  const described = choices ? { enum: [...choices] } : {};
  if (type === 'methods') return json(z.record(z.string(), z.boolean()).optional());
  if (type === 'boolean') return json(z.boolean().optional());
  if (type === 'integer') return json((words ? z.union([z.int(), z.string()]) : z.int()).optional().meta(described));
  const schema = z.string().optional().meta(described);
  return words ? json(schema) : text(schema);
}
