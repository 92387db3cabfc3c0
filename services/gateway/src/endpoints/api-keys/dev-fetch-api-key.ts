import { BadRequestError } from '@parley/shared/errors';
import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { text } from '../../http/parameters';
import { fetchedApiKeySchema, publicFetchedApiKey } from './fetched-api-key';

export const devFetchApiKey = endpoint({
  method: 'POST',
  path: '/dev_fetch_api_key',
  summary: 'Sign in without a password; on development servers only',
  auth: 'none',
  parameters: { username: text(z.string().describe('The real e-mail address.')) },
  result: fetchedApiKeySchema,
  errors: ['AUTHENTICATION_FAILED', 'USER_DEACTIVATED', 'REALM_DEACTIVATED', 'NONEXISTENT_SUBDOMAIN'],
  async handler({ config, services }, { call, subdomain, clientName: label }, { username }) {
    if (!config.DEV_LOGIN) throw new BadRequestError('Endpoint not available in production.');
    return publicFetchedApiKey(await services.realm.devFetchApiKey(call, { subdomain, username, label }));
  },
});
