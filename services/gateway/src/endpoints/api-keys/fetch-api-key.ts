import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { text } from '../../http/parameters';
import { fetchedApiKeySchema, publicFetchedApiKey } from './fetched-api-key';

export const fetchApiKey = endpoint({
  method: 'POST',
  path: '/fetch_api_key',
  summary: 'Sign in with a password: one more API key',
  auth: 'none',
  ownLimitOf: () => 'signIns',
  parameters: { username: text(z.string().describe('The real e-mail address.')), password: text(z.string()) },
  result: fetchedApiKeySchema,
  errors: ['AUTHENTICATION_FAILED', 'USER_DEACTIVATED', 'REALM_DEACTIVATED', 'NONEXISTENT_SUBDOMAIN'],
  async handler({ services, config }, { call, subdomain, clientName: label, ...from }, { username, password }) {
    // Empty: it counts for no address.
    const address = config.RATE_LIMITS ? from.address : '';
    return publicFetchedApiKey(
      await services.realm.fetchApiKey(call, { subdomain, username, password, label, address }),
    );
  },
});
