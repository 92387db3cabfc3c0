import {
  type AuthenticationMethod,
  REALM_SETTING_NAMES,
  REALM_SETTINGS,
  type RealmSettingName,
  type RealmSettings,
} from '@parley/shared/values';
import { publicAuthenticationMethods } from '@parley/shared/wire';
import { z } from 'zod';

type FieldName = `realm_${RealmSettingName}`;

const authenticationMethodsSchema = z.record(
  z.string(),
  z.strictObject({ enabled: z.boolean(), available: z.boolean(), unavailable_reason: z.string().optional() }),
);

/** An organization's settings in POST /register, by their names there. */
export const realmSettingFields = Object.fromEntries(
  REALM_SETTING_NAMES.map((name) => [`realm_${name}`, fieldOf(name)]),
) as Record<FieldName, z.ZodType>;

function fieldOf(name: RealmSettingName): z.ZodType {
  const { type, words = {}, choices } = REALM_SETTINGS[name];
  if (type === 'methods') return authenticationMethodsSchema;
  if (type === 'boolean') return z.boolean();
  const described = choices ? { enum: [...choices] } : {};
  const schema = (type === 'integer' ? z.int() : z.string()).meta(described);
  return Object.values(words).includes(null) ? schema.nullable() : schema;
}

/** The settings as POST /register shows them; `available` are the ways to sign in that the server offers. */
export function publicRealmSettings(
  settings: Readonly<RealmSettings>,
  available: readonly AuthenticationMethod[],
): Record<FieldName, unknown> {
  const methods = publicAuthenticationMethods(settings.authentication_methods, available);
  const shown = { ...settings, authentication_methods: methods };
  const entries = REALM_SETTING_NAMES.map((name) => [`realm_${name}`, shown[name]]);
  return Object.fromEntries(entries) as Record<FieldName, unknown>;
}
