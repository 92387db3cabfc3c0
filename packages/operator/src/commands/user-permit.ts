import { newCall } from '@parley/shared/rpc';
import { command } from '../command/command';
import { decision, realm, text } from '../command/options';
import { withoutUndefined } from '../command/without-undefined';

/** Lets an account do, or no longer do, what no organization can allow: make accounts, and change others' addresses. */
export const userPermit = command({
  services: ['realm'],
  summary: 'lets an account make accounts, or change the addresses of others',
  options: {
    realm,
    email: text('EMAIL'),
    'can-create-users': decision().optional(),
    'can-change-emails': decision().optional(),
  },
  examples: ['--realm acme --email ada@acme.org --can-create-users yes'],
  async run({ realm: service }, { realm: subdomain, email, ...rights }) {
    if (Object.values(rights).every((right) => right === undefined))
      throw new Error('nothing to change: give --can-create-users or --can-change-emails');
    const { userId } = await service.permitUser(newCall(), {
      subdomain,
      email,
      ...withoutUndefined({
        mayCreateUsers: rights['can-create-users'],
        mayChangeEmails: rights['can-change-emails'],
      }),
    });
    return { user_id: userId };
  },
});
