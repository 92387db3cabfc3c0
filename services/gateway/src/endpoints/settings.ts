import { BadRequestError } from '@parley/shared/errors';
import type { UserSetting } from '@parley/shared/proto';
import {
  type SettingValue,
  settingMessage,
  USER_SETTING_NAMES,
  USER_SETTINGS,
  type UserSettingName,
} from '@parley/shared/values';
import { z } from 'zod';
import { endpoint } from '../http/endpoint';
import { boundedText, json, type Parameter, text } from '../http/parameters';

type SettingParameter = Parameter<SettingValue | undefined, SettingValue | undefined>;

/** Parameters for settings of those names: types are checked here, values by realm, with the API's messages. */
function settingParameters(names: readonly UserSettingName[]): Record<UserSettingName, SettingParameter> {
  return Object.fromEntries(names.map((name) => [name, parameterOf(name)])) as Record<
    UserSettingName,
    SettingParameter
  >;
}

function parameterOf(name: UserSettingName): SettingParameter {
  const { default: value, choices } = USER_SETTINGS[name];
  const described = choices ? { enum: [...choices] } : {};
  if (typeof value === 'boolean') return json(z.boolean().optional().meta(described));
  return typeof value === 'number'
    ? json(z.int().optional().meta(described))
    : text(z.string().optional().meta(described));
}

/** The settings that a request changes. */
function sentSettings(values: Partial<Record<UserSettingName, SettingValue | undefined>>): UserSetting[] {
  return USER_SETTING_NAMES.flatMap((name) => {
    const value = values[name];
    return value === undefined ? [] : [settingMessage(name, value)];
  });
}

export const updateUserSettings = endpoint({
  method: 'PATCH',
  path: '/settings',
  summary: "Change the caller's own settings",
  auth: 'user',
  parameters: {
    ...settingParameters(USER_SETTING_NAMES),
    full_name: text(z.string().optional()),
    email: text(
      z
        .string()
        .optional()
        .describe('Another address: a link is mailed there, and nothing changes until it is opened.'),
    ),
    timezone: text(z.string().optional().describe('Name of the time zone database.')),
    old_password: text(z.string().optional()),
    new_password: text(z.string().optional().describe('Taken together with the old one only.')),
  },
  result: z.strictObject({}),
  errors: ['PASSWORD_AUTH_DISABLED'],
  async handler({ services }, { call, apiKeyId }, values) {
    await services.realm.updateUserSettings(call, {
      usedKeyId: apiKeyId,
      settings: sentSettings(values),
      ...(values.full_name !== undefined && { fullName: values.full_name }),
      ...(values.email !== undefined && { email: values.email }),
      ...(values.timezone !== undefined && { timezone: values.timezone }),
      ...(values.old_password !== undefined && { oldPassword: values.old_password }),
      ...(values.new_password !== undefined && { newPassword: values.new_password }),
    });
    return {};
  },
});

/** Deprecated name of PATCH /settings. */
export const updateDisplaySettings = endpoint({ ...updateUserSettings, path: '/settings/display' });

/** Deprecated name of PATCH /settings. */
export const updateNotificationsSettings = endpoint({ ...updateUserSettings, path: '/settings/notifications' });

export const updateUserSettingsDefaults = endpoint({
  method: 'PATCH',
  path: '/realm/user_settings_defaults',
  summary: 'Change the settings that accounts begin with; for administrators',
  auth: 'user',
  parameters: settingParameters(USER_SETTING_NAMES.filter((name) => !USER_SETTINGS[name].isPersonal)),
  result: z.strictObject({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, values) {
    await services.realm.updateUserSettingsDefaults(call, { settings: sentSettings(values) });
    return {};
  },
});

interface Command {
  setting: UserSettingName;
  value: SettingValue;
  /** The command that reverts it. */
  opposite: string;
}

const COMMANDS: ReadonlyMap<string, Command> = new Map([
  ['dark', { setting: 'color_scheme', value: 2, opposite: 'light' }],
  ['light', { setting: 'color_scheme', value: 3, opposite: 'dark' }],
  ['fluid-width', { setting: 'fluid_layout_width', value: true, opposite: 'fixed-width' }],
  ['fixed-width', { setting: 'fluid_layout_width', value: false, opposite: 'fluid-width' }],
]);
const MAX_LENGTH = 100;

export const runCommand = endpoint({
  method: 'POST',
  path: '/zcommand',
  summary: 'Do what somebody typed as a command where they write messages',
  auth: 'user',
  parameters: {
    command: text(boundedText(MAX_LENGTH).describe('`/ping`, `/dark`, `/light`, `/fluid-width` or `/fixed-width`.')),
  },
  result: z.strictObject({ msg: z.string().optional().describe('What has been done, for the user to read.') }),
  errors: [],
  async handler({ services }, { call }, values) {
    const name = nameOf(values.command);
    if (name === 'ping') return {};
    const command = COMMANDS.get(name);
    if (!command) throw new BadRequestError(`No such command: ${name}`);
    const { setting, value, opposite } = command;
    await services.realm.updateUserSettings(call, { settings: [settingMessage(setting, value)] });
    return { msg: `Changed to ${name}. To go back, type \`/${opposite}\`.` };
  },
});

function nameOf(command: string): string {
  if (!command.startsWith('/')) throw new BadRequestError('There should be a leading slash in the command.');
  return command.slice(1).trim();
}

const MAX_KEY_LENGTH = 100;

/** SPEC-GAP: confirming an address without a browser is not documented; the page at the mailed link does the same. */
export const confirmEmailChange = endpoint({
  method: 'POST',
  path: '/settings/email/confirm',
  summary: 'Confirm a new e-mail address with the key that was mailed there',
  auth: 'none',
  parameters: { key: text(boundedText(MAX_KEY_LENGTH).describe('The last part of the link.')) },
  result: z.strictObject({ email: z.string().describe('What the real address is from now on.') }),
  errors: ['USER_DEACTIVATED', 'REALM_DEACTIVATED', 'NONEXISTENT_SUBDOMAIN'],
  async handler({ services }, { call, subdomain }, { key }) {
    const { newEmail: email } = await services.realm.confirmEmailChange(call, { subdomain, key });
    return { email };
  },
});

const MAX_NAME_LENGTH = 100;

export const completeOnboardingStep = endpoint({
  method: 'POST',
  path: '/users/me/onboarding_steps',
  summary: 'Say that the caller has seen a hint for new users',
  auth: 'user',
  parameters: { onboarding_step: text(boundedText(MAX_NAME_LENGTH)) },
  result: z.strictObject({}),
  errors: [],
  async handler({ services }, { call }, { onboarding_step: name }) {
    await services.realm.completeOnboardingStep(call, { name });
    return {};
  },
});
