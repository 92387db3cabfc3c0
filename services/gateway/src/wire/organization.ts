import type { Organization } from '@parley/shared/proto';
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

/** The settings as POST /register shows them; `available` are the sign-in methods that the server offers. */
export function publicRealmSettings(
  settings: Readonly<RealmSettings>,
  available: readonly AuthenticationMethod[],
  realm: Pick<Organization, 'hasLdap'>,
): Record<FieldName, unknown> {
  const methods = publicAuthenticationMethods(settings.authentication_methods, available, realm);
  const shown = { ...settings, authentication_methods: methods };
  const entries = REALM_SETTING_NAMES.map((name) => [`realm_${name}`, shown[name]]);
  return Object.fromEntries(entries) as Record<FieldName, unknown>;
}

export const allowedDomainSchema = z.strictObject({ domain: z.string(), allow_subdomains: z.boolean() });

export const linkifierSchema = z.strictObject({
  id: z.int(),
  pattern: z.string().describe("In RE2's dialect."),
  url_template: z.string().describe("RFC 6570; its variables are the pattern's named groups."),
  example_input: z.string().nullable(),
  reverse_template: z.string().nullable(),
  alternative_url_templates: z.array(z.string()),
});

export const playgroundSchema = z.strictObject({
  id: z.int(),
  name: z.string(),
  pygments_language: z.string(),
  url_template: z.string().describe('RFC 6570; its one variable is `code`.'),
});

export const customEmojiSchema = z
  .record(
    z.string(),
    z.strictObject({
      id: z.string(),
      name: z.string(),
      source_url: z.string(),
      still_url: z.string().nullable().describe('Null when the image does not move.'),
      deactivated: z.boolean(),
      author_id: z.int().nullable(),
    }),
  )
  .describe('By id.');

export const profileFieldSchema = z.strictObject({
  id: z.int(),
  type: z.int(),
  order: z.int(),
  name: z.string(),
  hint: z.string(),
  field_data: z.string().describe('JSON; empty when the type needs none.'),
  required: z.boolean(),
  editable_by_user: z.boolean(),
  use_for_user_matching: z.boolean(),
  display_in_profile_summary: z.literal(true).optional(),
});
