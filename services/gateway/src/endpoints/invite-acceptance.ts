import { PASSWORD_LIMITS, ROLE_VALUES, realmUrl, toSeconds } from '@parley/shared/values';
import { z } from 'zod';
import { endpoint } from '../http/endpoint';
import { boundedText, json, pathText, text } from '../http/parameters';
import { requireTerms } from '../pages/invitation-terms';

/** SPEC-GAP: as acceptInvitation. */
export const lookUpInvitation = endpoint({
  method: 'GET',
  path: '/invites/accept/{key}',
  summary: 'What an invitation is to, and what accepting it needs',
  auth: 'none',
  hasSecretPath: true,
  parameters: { key: pathText() },
  result: z.strictObject({
    kind: z.enum(['email', 'multiuse']),
    email: z.string().optional().describe('Of e-mail invitations.'),
    realm_name: z.string(),
    realm_url: z.string(),
    invited_as: z.literal(ROLE_VALUES),
    expiry_date: z.int().nullable().describe('In seconds; null: never.'),
    password_required: z.boolean(),
    password_min_length: z.int(),
    password_max_length: z.int(),
    terms_required: z.boolean(),
    realm_default_email_address_visibility: z.int(),
  }),
  errors: ['REALM_DEACTIVATED', 'NONEXISTENT_SUBDOMAIN'],
  async handler({ config, services }, { call, subdomain }, { key }) {
    const { id: realmId } = await services.realm.getRealm(call, { subdomain });
    const found = await services.invites.lookUpInvitation(call, { realmId, key });
    return {
      kind: found.email === undefined ? ('multiuse' as const) : ('email' as const),
      ...(found.email !== undefined && { email: found.email }),
      realm_name: found.organizationName,
      realm_url: realmUrl(subdomain, config.EXTERNAL_HOST),
      invited_as: found.invitedAs as (typeof ROLE_VALUES)[number],
      expiry_date: found.expiresAtMs === undefined ? null : toSeconds(found.expiresAtMs),
      password_required: found.isPasswordNeeded,
      password_min_length: PASSWORD_LIMITS.minLength,
      password_max_length: PASSWORD_LIMITS.maxLength,
      terms_required: config.TERMS_URL !== undefined,
      realm_default_email_address_visibility: found.emailAddressVisibility,
    };
  },
});

const MAX_KEY_LENGTH = 100;
const MAX_TEXT_LENGTH = 1_000;
const MAX_CHANNEL_GROUPS = 100;

const shortText = boundedText(MAX_TEXT_LENGTH);

/** SPEC-GAP: accepting an invitation without a browser is not documented; the page at the invitation's link does the same. */
export const acceptInvitation = endpoint({
  method: 'POST',
  path: '/invites/accept',
  summary: 'Join by an invitation: makes the account; by a reusable link it has the address confirmed first',
  auth: 'none',
  parameters: {
    key: text(boundedText(MAX_KEY_LENGTH).describe('The last part of the link.')),
    full_name: text(shortText.default('').describe('Needed for an account, as are the rest.')),
    password: text(boundedText(MAX_TEXT_LENGTH).optional()),
    email: text(shortText.optional().describe('Needed with a reusable link.')),
    timezone: text(shortText.default('')),
    email_address_visibility: json(z.int().optional().describe("Absent: the organization's.")),
    default_language: text(shortText.default('').describe("Empty: the organization's.")),
    accept_terms: json(z.boolean().default(false).describe('Needed where the server has terms.')),
    default_stream_groups: json(z.array(shortText).max(MAX_CHANNEL_GROUPS).default([])),
  },
  result: z.strictObject({
    confirmation_required: z.boolean().describe('A mail went to the address: the key in it makes the account.'),
    user_id: z.int().optional(),
    email: z.string().optional(),
    delivery_email: z.string().optional(),
    api_key: z.string().optional(),
    realm_url: z.string(),
  }),
  errors: ['REALM_DEACTIVATED', 'NONEXISTENT_SUBDOMAIN'],
  async handler({ config, services }, { call, subdomain }, values) {
    const { id: realmId } = await services.realm.getRealm(call, { subdomain });
    requireTerms(config, values.accept_terms);
    const { password, email, email_address_visibility: emailAddressVisibility } = values;
    const accepted = await services.invites.acceptInvitation(call, {
      realmId,
      key: values.key,
      fullName: values.full_name,
      ...(password !== undefined && { password }),
      ...(email !== undefined && { email }),
      ...(emailAddressVisibility !== undefined && { emailAddressVisibility }),
      timezone: values.timezone,
      defaultLanguage: values.default_language,
      defaultChannelGroups: values.default_stream_groups,
    });
    const answer = {
      confirmation_required: accepted.isConfirmationRequired,
      realm_url: realmUrl(subdomain, config.EXTERNAL_HOST),
    };
    if (accepted.isConfirmationRequired) return answer;
    const { userId: user_id, deliveryEmail: delivery_email, apiKey: api_key } = accepted;
    return { ...answer, user_id, email: accepted.email, delivery_email, api_key };
  },
});
