import type { RealmPermissionName } from '@parley/shared/access';
import type { UpdatedRealm } from '@parley/shared/proto';
import {
  availableMethods,
  REALM_SETTING_NAMES,
  REALM_SETTINGS,
  type RealmSettingName,
  type RealmSettings,
} from '@parley/shared/values';
import { publicGroupSettings } from '@parley/shared/wire';
import { z } from 'zod';
import type { Config } from '../../config';
import { endpoint } from '../../http/endpoint';
import { text } from '../../http/parameters';
import { groupSettingSchema, toGroupSettingChange } from '../../wire/group-setting';
import { permissionParameters, REALM_PERMISSION_NAMES, settingParameters } from './realm-setting-parameters';

/** Stands for every text that has changed. */
const UPDATED = 'updated';
const updatedText = z.literal(UPDATED);

const echoes = Object.fromEntries(REALM_SETTING_NAMES.map((name) => [name, echoOf(name).optional()]));
const permissionEchoes = Object.fromEntries(
  REALM_PERMISSION_NAMES.map((name) => [name, groupSettingSchema.optional()]),
);

export const updateRealm = endpoint({
  method: 'PATCH',
  path: '/realm',
  summary: 'Change the settings and permissions of the organization; for administrators, some for owners',
  auth: 'user',
  parameters: {
    name: text(z.string().optional()),
    description: text(z.string().optional()),
    string_id: text(z.string().optional().describe('Subdomain; of demo organizations only.')),
    ...settingParameters,
    ...permissionParameters,
  },
  result: z.strictObject({
    name: updatedText.optional(),
    description: updatedText.optional(),
    ...echoes,
    ...permissionEchoes,
  }),
  errors: ['UNAUTHORIZED_PRINCIPAL', 'REQUEST_VARIABLE_INVALID', 'EXPECTATION_MISMATCH', 'SYSTEM_GROUP_REQUIRED'],
  async handler({ services, config }, { call }, values) {
    const { name, description, string_id: subdomain } = values;
    const settings = REALM_SETTING_NAMES.filter((setting) => values[setting] !== undefined);
    const permissions = REALM_PERMISSION_NAMES.flatMap((permission) => {
      const change = values[permission];
      return change === undefined ? [] : [[permission, toGroupSettingChange(change)]];
    });
    const updated = await services.realm.updateRealm(call, {
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
      ...(subdomain !== undefined && { subdomain }),
      settings: JSON.stringify(Object.fromEntries(settings.map((setting) => [setting, values[setting]]))),
      groupSettings: Object.fromEntries(permissions),
    });
    return echo(updated, config);
  },
});

function echoOf(name: RealmSettingName): z.ZodType {
  const { type, words = {} } = REALM_SETTINGS[name];
  if (type === 'methods') return z.record(z.string(), z.boolean());
  const schema = { boolean: z.boolean(), integer: z.int(), text: updatedText }[type];
  return Object.values(words).includes(null) ? schema.nullable() : schema;
}

/** What has changed: texts as a word, everything else as it is now. */
function echo({ name, description, settings, groupSettings }: UpdatedRealm, config: Config) {
  const { authentication_methods: methods, ...others } = JSON.parse(settings) as Partial<RealmSettings>;
  const shown = methods && Object.fromEntries(availableMethods(config).map((method) => [method, methods[method]]));
  const values = Object.entries(others).map(([key, value]) => [key, typeof value === 'string' ? UPDATED : value]);
  return {
    ...(name !== undefined && { name: UPDATED as typeof UPDATED }),
    ...(description !== undefined && { description: UPDATED as typeof UPDATED }),
    ...Object.fromEntries(values),
    ...(shown && { authentication_methods: shown }),
    ...publicGroupSettings(groupSettings as Record<RealmPermissionName, (typeof groupSettings)[string]>),
  };
}
