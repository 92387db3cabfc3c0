import { readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../../..');

/**
 * What has gone wrong in other systems of this kind with invitations, with what is sent later, and with calls to bots; where that is
 * tested, and by which test.
 */
const HAZARDS: readonly [hazard: string, file: string, title: string][] = [
  // Invitations.
  ['a key opens another organization', 'services/invites/src/acceptance/accept-invitation.test.ts', 'elsewhere'],
  ['a key opens after its end', 'services/invites/src/acceptance/accept-invitation.test.ts', 'revoked, expired'],
  ['a key is guessed', 'services/invites/src/acceptance/accept-invitation.test.ts', 'who tries too often waits'],
  ['a key is read in the database', 'services/invites/src/invitations/send-invitations.test.ts', 'stores no key'],
  ['one key, two accounts', 'packages/dev-env/test/invitation-pages.test.ts', 'one account comes of it'],
  ['half an account', 'packages/dev-env/test/invite-crashes.test.ts', 'makes one account'],
  ['a role beyond the sender’s', 'services/invites/src/invitations/permissions.test.ts', 'to more than they are'],
  ['channels without the right', 'services/realm/src/invite-facts/get-invite-facts.test.ts', 'the right to add people'],
  ['groups without the right', 'services/realm/src/invite-facts/get-invite-facts.test.ts', 'the right to add members'],
  ['mails without end', 'services/invites/src/invitations/send-invitations.test.ts', 'the daily limit'],
  ['the sender is gone', 'services/invites/src/invitations/manage-invitations.test.ts', 'what it has invited ends'],
  ['markup in a page', 'services/gateway/test/invitation-acceptance.test.ts', 'what others wrote is text'],
  ['markup in a mail', 'packages/shared/src/mail/compose-mail.test.ts', 'what people have written stays text'],
  ['headers in a name', 'packages/shared/src/mail/mailer.test.ts', 'makes neither headers nor recipients'],
  ['a mail is lost with its process', 'packages/dev-env/test/mail-kills.test.ts', 'come again as what they were'],
  // What is sent later.
  ['sent twice, or never', 'packages/dev-env/test/scheduler-crashes.test.ts', 'a scheduled message is sent once'],
  ['sent by each replica', 'services/scheduler/src/due-jobs/start-due-jobs.test.ts', 'each is done once'],
  ['dropped while away', 'packages/dev-env/test/scheduled-messages.test.ts', 'sends what became due meanwhile'],
  [
    'sent a day late',
    'packages/dev-env/test/scheduled-messages.test.ts',
    'sends nothing that is later than is allowed',
  ],
  ['rights of long ago', 'packages/dev-env/test/scheduled-messages.test.ts', 'by the rights of that time, not of now'],
  ['the author is gone', 'packages/dev-env/test/scheduled-messages.test.ts', 'for somebody who is not there any more'],
  ['schedules without end', 'packages/dev-env/test/scheduled-messages.test.ts', 'nobody schedules without end'],
  [
    'a reminder shows what is hidden',
    'packages/dev-env/test/reminders.test.ts',
    'what cannot be reminded of is refused',
  ],
  ['deleted by each replica', 'services/scheduler/src/retention/keep-retention.test.ts', 'by one replica of those'],
  ['deleted without a word', 'packages/dev-env/test/retention.test.ts', 'everybody who had them is told'],
  // Calls to bots.
  ['addresses inside', 'packages/shared/src/outside-http/outside-http.test.ts', 'resolved once for a connection'],
  [
    'addresses inside, as bots',
    'packages/dev-env/test/outgoing-webhooks.test.ts',
    'an address that may not be reached',
  ],
  ['an answer as attack', 'services/scheduler/src/webhooks/read-answer.test.ts', 'is understood or refused'],
  ['an answer without end', 'packages/shared/src/outside-http/outside-http.test.ts', 'that is too large is refused'],
  [
    'an answer without the right',
    'services/scheduler/src/webhooks/deliver-call.test.ts',
    'a reply that is refused is told',
  ],
  ['called without identity', 'packages/dev-env/test/outgoing-webhooks.test.ts', 'called again with the same id'],
  ['answers said twice', 'packages/dev-env/test/scheduler-crashes.test.ts', 'what a bot answers is said once'],
  ['one slow bot, all wait', 'services/scheduler/src/webhooks/deliver-call.test.ts', 'others do not wait for it'],
  ['a deactivated bot in the way', 'services/scheduler/src/webhooks/deliver-call.test.ts', 'or who is gone'],
  ['bots that call each other', 'packages/dev-env/test/outgoing-webhooks.test.ts', 'who writes is a bot'],
];

test.each(HAZARDS)('there is a test for this: %s', (_hazard, file, title) => {
  const titles = [
    ...readFileSync(path.join(ROOT, file), 'utf8').matchAll(/^\s*(?:describe|test|\]\)).*?(['`"])(.*)\1/gm),
  ];
  expect(titles.map(([, , found]) => found)).toContainEqual(expect.stringContaining(title));
});
