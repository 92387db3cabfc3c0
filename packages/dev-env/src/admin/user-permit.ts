import { newCall } from '@parley/shared/rpc';
import type { CommandOf } from './command';

/** Lets an account do, or no longer do, what no organization can allow: make accounts, and change others' addresses. */
export const userPermit: CommandOf<'realm'> = {
  service: 'realm',
  about: 'lets an account make accounts, or change the addresses of others',
  required: { realm: 'SUBDOMAIN', email: 'EMAIL' },
  optional: { 'can-create-users': 'yes|no', 'can-change-emails': 'yes|no' },
  async run(realm, options) {
    const mayCreateUsers = options.optionalDecision('can-create-users');
    const mayChangeEmails = options.optionalDecision('can-change-emails');
    const { userId } = await realm.permitUser(newCall(), {
      subdomain: options.text('realm'),
      email: options.text('email'),
      ...(mayCreateUsers !== undefined && { mayCreateUsers }),
      ...(mayChangeEmails !== undefined && { mayChangeEmails }),
    });
    return { user_id: userId };
  },
};
