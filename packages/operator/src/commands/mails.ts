import type { UndeliveredMail, UndeliveredMails } from '@parley/shared/proto';
import { newCall } from '@parley/shared/rpc';
import { type CommandResult, command } from '../command/command';
import { text } from '../command/options';

/** Lists failed confirmations of addresses and notices to accounts. */
export const realmMails = command({
  services: ['realm'],
  summary: 'lists mails to accounts that could not be sent within the last month',
  options: {},
  run: async ({ realm }) => listOf(await realm.listUndeliveredMails(newCall(), {})),
});

/** Lists failed invitations. */
export const invitesMails = command({
  services: ['invites'],
  summary: 'lists invitations by mail that could not be sent within the last month',
  options: {},
  run: async ({ invites }) => listOf(await invites.listUndeliveredMails(newCall(), {})),
});

/** Lists failed mails about missed messages. */
export const missedMails = command({
  services: ['scheduler'],
  summary: 'lists mails about missed messages that could not be sent within the last month',
  options: {},
  run: async ({ scheduler }) => listOf(await scheduler.listUndeliveredMails(newCall(), {})),
});

function listOf({ mails }: UndeliveredMails): CommandResult {
  return { mails: mails.map(publicMail) };
}

function publicMail({ realmId, id, template, recipient, attempts, error, givenUpAtMs }: UndeliveredMail) {
  const given_up_at = new Date(givenUpAtMs).toISOString();
  return { realm_id: realmId, id, template, recipient, attempts, given_up_at, error };
}

const TIMEOUT_MS = 60_000;

export const mailTest = command({
  services: ['realm'],
  summary: 'sends a mail at once; fails with what the mail server has said',
  options: { to: text('EMAIL') },
  examples: ['--to ada@acme.org'],
  async run({ realm: service }, { to }) {
    await service.sendTestMail(newCall(undefined, TIMEOUT_MS), { to });
    return { sent_to: to };
  },
});
