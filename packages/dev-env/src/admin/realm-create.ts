import { newCall } from '@parley/shared/rpc';
import type { CommandOf } from './command';

/** Makes an organization and the account of its owner. */
export const realmCreate: CommandOf<'realm'> = {
  service: 'realm',
  about: 'makes an organization and the account of its owner',
  required: { name: 'NAME', subdomain: 'SUBDOMAIN', 'owner-email': 'EMAIL', 'owner-name': 'NAME' },
  optional: { 'owner-password': 'PASSWORD', 'org-type': 'NUMBER' },
  async run(realm, options) {
    const ownerPassword = options.optionalText('owner-password');
    const orgType = options.optionalInteger('org-type');
    const { realmId, userId, email, apiKey } = await realm.createRealm(newCall(), {
      name: options.text('name'),
      subdomain: options.text('subdomain'),
      ownerEmail: options.text('owner-email'),
      ownerName: options.text('owner-name'),
      ...(ownerPassword === undefined ? {} : { ownerPassword }),
      ...(orgType === undefined ? {} : { orgType }),
    });
    return { realm_id: realmId, user_id: userId, email, api_key: apiKey };
  },
};
