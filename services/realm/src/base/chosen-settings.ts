import {
  REALM_SETTING_NAMES,
  type RealmSettings,
  type SettingValue,
  USER_SETTING_NAMES,
  type UserSettings,
} from '@parley/shared/values';
import { z } from 'zod';

const VALUE = z.union([z.boolean(), z.number(), z.string()]) satisfies z.ZodType<SettingValue>;

/** The shape of the settings that an account, or an organization for new accounts, has chosen. */
export const CHOSEN_SETTINGS: z.ZodType<Partial<UserSettings>> = z.partialRecord(z.enum(USER_SETTING_NAMES), VALUE);

/** The shape of the settings that an organization has chosen. */
export const CHOSEN_REALM_SETTINGS = z.partialRecord(
  z.enum(REALM_SETTING_NAMES),
  z.union([VALUE, z.null(), z.record(z.string(), z.boolean())]),
) as z.ZodType<unknown> as z.ZodType<Partial<RealmSettings>>;
