import { PASSWORD_LIMITS, ROLE_VALUES, realmUrl, toSeconds } from '@parley/shared/values';
import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { pathText } from '../../http/parameters';

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
