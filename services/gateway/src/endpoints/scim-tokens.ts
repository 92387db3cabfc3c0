import { realmUrl, toSeconds } from '@parley/shared/values';
import { z } from 'zod';
import type { Config } from '../config';
import { endpoint } from '../http/endpoint';
import { boundedText, json, pathId, text } from '../http/parameters';
import { SCIM_PATH } from '../scim/scim-request';

const MAX_NAME_LENGTH = 100;
const newTokenSchema = z.strictObject({
  id: z.int(),
  token: z.string().describe('The bearer token. It is shown this once.'),
  base_url: z.string().describe('What the identity provider calls base URL or tenant URL.'),
});

const baseUrlOf = ({ EXTERNAL_HOST }: Config, subdomain: string) => realmUrl(subdomain, EXTERNAL_HOST) + SCIM_PATH;

export const listScimTokens = endpoint({
  method: 'GET',
  path: '/realm/scim_tokens',
  summary: 'List the tokens with which identity providers keep accounts and groups (SCIM); owners only',
  auth: 'user',
  parameters: {},
  result: z.strictObject({
    base_url: z.string(),
    scim_tokens: z.array(
      z.strictObject({
        id: z.int(),
        name: z.string(),
        date_created: z.int().describe('UNIX seconds.'),
        former_ends_at: z
          .int()
          .nullable()
          .describe('UNIX seconds: until then the token before the last rotation is valid, too; null: it is not.'),
      }),
    ),
    scim_roles: z
      .array(z.strictObject({ group_name: z.string(), role: z.int() }))
      .describe('Groups of the provider that give their members a role.'),
  }),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services, config }, { call, subdomain }) {
    const { tokens, roles } = await services.realm.listScimTokens(call, {});
    return {
      base_url: baseUrlOf(config, subdomain),
      scim_tokens: tokens.map(({ id, name, createdAtMs, formerEndsAtMs }) => ({
        ...{ id, name, date_created: toSeconds(createdAtMs) },
        former_ends_at: formerEndsAtMs === undefined ? null : toSeconds(formerEndsAtMs),
      })),
      scim_roles: roles.map(({ groupName, role }) => ({ group_name: groupName, role })),
    };
  },
});

export const createScimToken = endpoint({
  method: 'POST',
  path: '/realm/scim_tokens',
  summary: 'Make a token for an identity provider, which then keeps accounts and groups; owners only',
  auth: 'user',
  parameters: { name: text(boundedText(MAX_NAME_LENGTH).describe('What it is for.')) },
  result: newTokenSchema,
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services, config }, { call, subdomain }, { name }) {
    const { tokenId: id, token } = await services.realm.createScimToken(call, { name });
    return { id, token, base_url: baseUrlOf(config, subdomain) };
  },
});

export const rotateScimToken = endpoint({
  method: 'POST',
  path: '/realm/scim_tokens/{token_id}/rotate',
  summary: 'Replace a token of an identity provider by a new one; owners only',
  auth: 'user',
  parameters: {
    token_id: pathId(),
    overlap_minutes: json(z.int().optional().describe('How long the former one stays valid; at most a week.')),
  },
  result: newTokenSchema,
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services, config }, { call, subdomain }, { token_id: tokenId, overlap_minutes: overlapMinutes = 0 }) {
    const { tokenId: id, token } = await services.realm.rotateScimToken(call, { tokenId, overlapMinutes });
    return { id, token, base_url: baseUrlOf(config, subdomain) };
  },
});

export const revokeScimToken = endpoint({
  method: 'DELETE',
  path: '/realm/scim_tokens/{token_id}',
  summary: 'End a token of an identity provider at once; owners only',
  auth: 'user',
  parameters: { token_id: pathId() },
  result: z.strictObject({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, { token_id: tokenId }) {
    await services.realm.revokeScimToken(call, { tokenId });
    return {};
  },
});

export const setScimRole = endpoint({
  method: 'POST',
  path: '/realm/scim_roles',
  summary: 'Let a group of the identity provider give its members a role, or not any more; owners only',
  auth: 'user',
  parameters: {
    group_name: text(boundedText(MAX_NAME_LENGTH).describe('The name of the group at the provider.')),
    role: json(z.int32().nullable().describe('A role, see `PATCH /users/{user_id}`; null: the group gives none.')),
  },
  result: z.strictObject({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, { group_name: groupName, role }) {
    await services.realm.setScimRole(call, { groupName, ...(role !== null && { role }) });
    return {};
  },
});
