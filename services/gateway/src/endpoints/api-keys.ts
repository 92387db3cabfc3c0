import { BadRequestError } from '@parley/shared/errors';
import type { FetchedApiKey } from '@parley/shared/proto';
import { toSeconds } from '@parley/shared/values';
import { z } from 'zod';
import { deviceOf } from '../http/device';
import { endpoint } from '../http/endpoint';
import { boundedText, pathId, text } from '../http/parameters';
import { cookiesOf } from '../http/sessions';

const fetchedApiKeySchema = z.strictObject({ api_key: z.string(), email: z.string(), user_id: z.int() });

function publicFetchedApiKey({ apiKey, deliveryEmail, userId }: FetchedApiKey) {
  return { api_key: apiKey, email: deliveryEmail, user_id: userId };
}

export const fetchApiKey = endpoint({
  method: 'POST',
  path: '/fetch_api_key',
  summary: 'Sign in with a password: one more API key',
  auth: 'none',
  ownLimitOf: () => 'signIns',
  parameters: { username: text(z.string().describe('The real e-mail address.')), password: text(z.string()) },
  result: fetchedApiKeySchema,
  errors: [
    'AUTHENTICATION_FAILED',
    'PASSWORD_AUTH_DISABLED',
    'USER_DEACTIVATED',
    'REALM_DEACTIVATED',
    'NONEXISTENT_SUBDOMAIN',
  ],
  async handler({ services, config }, { call, subdomain, clientName: label, ...from }, { username, password }) {
    // Empty: not counted for an address.
    const address = config.RATE_LIMITS ? from.address : '';
    return publicFetchedApiKey(
      await services.realm.fetchApiKey(call, { subdomain, username, password, label, address }),
    );
  },
});

export const devFetchApiKey = endpoint({
  method: 'POST',
  path: '/dev_fetch_api_key',
  summary: 'Sign in without a password, to a key and to a session in cookies; on development servers only',
  auth: 'none',
  parameters: { username: text(z.string().describe('The real e-mail address.')) },
  result: fetchedApiKeySchema,
  errors: ['AUTHENTICATION_FAILED', 'USER_DEACTIVATED', 'REALM_DEACTIVATED', 'NONEXISTENT_SUBDOMAIN'],
  async handler({ config, services }, request, { username }) {
    const { call, subdomain, clientName: label } = request;
    if (!config.DEV_LOGIN) throw new BadRequestError('Endpoint not available in production.');
    const wanted = { subdomain, username, label };
    const fetched = await services.realm.devFetchApiKey(call, wanted);
    const session = { ...wanted, device: deviceOf(request.req), isSession: true };
    request.cookies = cookiesOf(request.req, await services.realm.devFetchApiKey(call, session));
    return publicFetchedApiKey(fetched);
  },
});

/** SPEC-GAP: keys are one per device or integration here; listing them is not documented. */
export const getApiKeys = endpoint({
  method: 'GET',
  path: '/users/me/api_keys',
  summary: "List the caller's API keys and sessions by what they are for, without the keys themselves",
  auth: 'user',
  parameters: {},
  result: z.strictObject({
    api_keys: z.array(
      z.strictObject({
        id: z.int(),
        label: z.string().describe('Name of the client that signed in, if any.'),
        date_created: z.int().describe('UNIX seconds.'),
        expires_at: z.int().nullable().describe('UNIX seconds: the end of a browser’s session; null for keys.'),
        is_current: z.boolean().describe('Whether it is the one of this request.'),
      }),
    ),
  }),
  errors: [],
  async handler({ services }, { call, apiKeyId }) {
    const { keys } = await services.realm.getApiKeys(call, {});
    return {
      api_keys: keys.map(({ id, label, createdAtMs, expiresAtMs }) => ({
        id,
        label,
        date_created: toSeconds(createdAtMs),
        expires_at: expiresAtMs === undefined ? null : toSeconds(expiresAtMs),
        is_current: id === apiKeyId,
      })),
    };
  },
});

/** SPEC-GAP: see getApiKeys. People who sign in through a provider have no password for POST /fetch_api_key. */
export const addOwnApiKey = endpoint({
  method: 'POST',
  path: '/users/me/api_keys',
  summary: 'Make one more API key, e.g. for a program; keys and sessions that exist stay',
  auth: 'user',
  parameters: { label: text(boundedText(100).describe('What it is for.')) },
  result: z.strictObject({ api_key: z.string() }),
  errors: [],
  async handler({ services }, { call }, { label }) {
    const { apiKey } = await services.realm.addOwnApiKey(call, { label });
    return { api_key: apiKey };
  },
});

export const regenerateApiKey = endpoint({
  method: 'POST',
  path: '/users/me/api_key/regenerate',
  summary: "Replace all of the caller's API keys by a new one",
  auth: 'user',
  parameters: {},
  result: z.strictObject({ api_key: z.string() }),
  errors: [],
  async handler({ services }, { call }) {
    const { apiKey } = await services.realm.regenerateApiKey(call, {});
    return { api_key: apiKey };
  },
});

/** SPEC-GAP: see getApiKeys. A client revokes its own key this way on signing out. */
export const revokeApiKey = endpoint({
  method: 'DELETE',
  path: '/users/me/api_keys/{key_id}',
  summary: "End one of the caller's API keys or sessions",
  auth: 'user',
  parameters: { key_id: pathId() },
  result: z.strictObject({}),
  errors: [],
  async handler({ services }, { call }, values) {
    await services.realm.revokeApiKey(call, { keyId: values.key_id });
    return {};
  },
});
