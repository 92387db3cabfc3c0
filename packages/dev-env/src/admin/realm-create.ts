import { newCall } from '@parley/shared/rpc';
import type { Command } from './command';

/** Makes an organization and the account of its owner. */
export const realmCreate: Command = {
  required: { name: 'NAME', subdomain: 'SUBDOMAIN', 'owner-email': 'EMAIL', 'owner-name': 'NAME' },
  optional: { 'owner-password': 'PASSWORD' },
  async run(realm, options) {
    const ownerPassword = options.optionalText('owner-password');
    const { realmId, userId, email, apiKey } = await realm.createRealm(newCall(), {
      name: options.text('name'),
      subdomain: options.text('subdomain'),
      ownerEmail: options.text('owner-email'),
      ownerName: options.text('owner-name'),
      ...(ownerPassword === undefined ? {} : { ownerPassword }),
    });
    return { realm_id: realmId, user_id: userId, email, api_key: apiKey };
  },
};
