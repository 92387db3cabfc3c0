import { REALM_PERMISSION_SETTINGS, type RealmPermissionName } from '@parley/shared/access';
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
import type { Config } from '../config';
import { endpoint } from '../http/endpoint';
import { boundedText, json, type Parameter, text } from '../http/parameters';
import { groupSettingChangeSchema, groupSettingSchema, toGroupSettingChange } from '../wire/groups';

type SettingParameter = Parameter<unknown, unknown>;
type Change = z.infer<typeof groupSettingChangeSchema> | undefined;

const REALM_PERMISSION_NAMES = Object.keys(REALM_PERMISSION_SETTINGS) as RealmPermissionName[];

/** Types are checked here, values by realm, with the API's messages. */
const settingParameters = Object.fromEntries(REALM_SETTING_NAMES.map((name) => [name, parameterOf(name)])) as Record<
  RealmSettingName,
  SettingParameter
>;

const permissionParameters = Object.fromEntries(
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

/** Replaces every changed text. */
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

/** The changed properties: texts as a word, all others with their new values. */
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

const MAX_WELCOME_LENGTH = 8_000;

export const testWelcomeMessage = endpoint({
  method: 'POST',
  path: '/realm/test_welcome_bot_custom_message',
  summary: 'Let the welcome bot say to oneself what it would say to new people; administrators only',
  auth: 'user',
  parameters: { welcome_message_custom_text: text(boundedText(MAX_WELCOME_LENGTH)) },
  result: z.strictObject({ message_id: z.int() }),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call, clientName }, { welcome_message_custom_text: content }) {
    const { userId } = await services.realm.getWelcomeBot(call, {});
    const { messageId } = await services.messages.sendMessage(
      { ...call, userId },
      {
        isDirect: true,
        recipientIds: [call.userId],
        recipientEmails: [],
        content,
        isReadBySender: false,
        clientName,
      },
    );
    return { message_id: messageId };
  },
});

export const deactivateRealm = endpoint({
  method: 'POST',
  path: '/realm/deactivate',
  summary: 'Close the organization; for owners',
  auth: 'user',
  parameters: {
    deletion_delay_days: json(z.int32().optional().describe('After which its data may be deleted; absent: never.')),
  },
  result: z.strictObject({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, { deletion_delay_days: deletionDelayDays }) {
    await services.realm.deactivateRealm(call, deletionDelayDays === undefined ? {} : { deletionDelayDays });
    return {};
  },
});
