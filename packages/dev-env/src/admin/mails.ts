import type { UndeliveredMail, UndeliveredMails } from '@parley/shared/proto';
import { newCall } from '@parley/shared/rpc';
import type { CommandOf, CommandResult } from './command';

const common = { required: {}, optional: {} };

/** Lists confirmations of addresses and notices to accounts that were given up. */
export const realmMails: CommandOf<'realm'> = {
  ...common,
  service: 'realm',
  about: 'lists mails to accounts that could not be sent within the last month',
  run: async (realm) => listOf(await realm.listUndeliveredMails(newCall(), {})),
};

/** Lists invitations that were given up. */
export const invitesMails: CommandOf<'invites'> = {
  ...common,
  service: 'invites',
  about: 'lists invitations by mail that could not be sent within the last month',
  run: async (invites) => listOf(await invites.listUndeliveredMails(newCall(), {})),
};

function listOf({ mails }: UndeliveredMails): CommandResult {
  return { mails: mails.map(publicMail) };
}

function publicMail({ realmId, id, template, recipient, attempts, error, givenUpAtMs }: UndeliveredMail) {
  const given_up_at = new Date(givenUpAtMs).toISOString();
  return { realm_id: realmId, id, template, recipient, attempts, given_up_at, error };
}
