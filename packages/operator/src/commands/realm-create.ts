import { newCall } from '@parley/shared/rpc';
import { command } from '../command/command';
import { integer, text } from '../command/options';
import { withoutUndefined } from '../command/without-undefined';

/** Makes an organization and the account of its owner. */
export const realmCreate = command({
  services: ['realm'],
  summary: 'makes an organization and the account of its owner',
  options: {
    name: text('NAME'),
    subdomain: text('SUBDOMAIN'),
    'owner-email': text('EMAIL'),
    'owner-name': text('NAME'),
    'owner-password': text('PASSWORD').optional(),
    'org-type': integer('NUMBER').optional(),
  },
  examples: ["--name Acme --subdomain acme --owner-email ada@acme.org --owner-name 'Ada'"],
  async run({ realm }, options) {
    const { realmId, userId, email, apiKey } = await realm.createRealm(newCall(), {
      name: options.name,
      subdomain: options.subdomain,
      ownerEmail: options['owner-email'],
      ownerName: options['owner-name'],
      ...withoutUndefined({ ownerPassword: options['owner-password'], orgType: options['org-type'] }),
    });
    return { realm_id: realmId, user_id: userId, email, api_key: apiKey };
  },
});
