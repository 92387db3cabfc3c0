import { readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../../../..');

/** Known failures of other systems of this kind, with the test against each. docs/recover.md has the remedies. */
const HAZARDS: readonly [hazard: string, file: string, title: string][] = [
  // Visibility.
  ['another organization is seen', 'packages/dev-env/test/security/access.test.ts', 'does not know this one’s users'],
  [
    'a private channel is seen',
    'packages/dev-env/test/security/access.test.ts',
    'shows its messages to its subscribers only',
  ],
  [
    'a private channel is still seen',
    'packages/dev-env/test/channels/private-channels.test.ts',
    'a user who was removed or left reads nothing, and all of it again after joining',
  ],
  ['a file is seen by its link', 'packages/dev-env/test/channels/private-channels.test.ts', 'gives access to no one'],
  [
    'a name tells of a channel',
    'packages/dev-env/test/security/access.test.ts',
    'is a link in messages of users who may see it, and plain text in those of others',
  ],
  [
    'a guessed id tells a name',
    'packages/dev-env/test/security/access.test.ts',
    'is closed to others, and does not reveal its name for a guessed id',
  ],
  [
    'a refusal tells of a channel',
    'packages/dev-env/test/security/hidden-as-absent.test.ts',
    'a private channel and its contents are answered as absent, by every endpoint',
  ],
  [
    'a bot tells of a channel',
    'services/realm/src/bots/create-bot.test.ts',
    'for a private channel hides the channel’s name from an owner who lost access',
  ],
  [
    'a channel in the state of everybody',
    'services/realm/src/organization-lists/default-channel-groups.test.ts',
    'that becomes private leaves its sets',
  ],
  [
    'a moved message brings its past along',
    'services/messages/src/messages/get-message-history.test.ts',
    'of the time in a channel hidden from the reader only the actor and time of the move out are shown',
  ],
  [
    'history from before one came',
    'services/messages/src/search/get-messages.test.ts',
    'shows a subscriber the received messages, however they are requested',
  ],
  [
    'events after one has left',
    'packages/dev-env/test/events/queue-ends.test.ts',
    'by being unsubscribed gets the event at once, earlier messages, and no later ones',
  ],
  [
    'events by an old membership',
    'services/events/test/delivery.test.ts',
    'is not delivered to a user who was removed before',
  ],
  [
    'edits announced to users who lost the message',
    'services/messages/src/edits/move-messages.test.ts',
    'only its subscribers keep',
  ],
  [
    'a preview announced to users who left',
    'services/messages/src/website-cards/website-cards.test.ts',
    'removed from the private channel',
  ],
  [
    'guests and public channels',
    'packages/dev-env/test/events/event-queues.test.ts',
    'do not reach guests with any narrow',
  ],
  [
    'guests and other people',
    'packages/dev-env/test/events/queue-ends.test.ts',
    'a guest with limited access to users gets no other names, in events as in messages',
  ],
  ['caches mix up answers', 'packages/dev-env/test/security/access.test.ts', 'are not for caches'],
  ['open ports', 'packages/dev-env/test/deployment/deployment.test.ts', 'only services reach NATS and PostgreSQL'],
  // Permissions.
  ['keys that outlive the account', 'services/realm/src/users/deactivate-user.test.ts', 'is refused with the reason'],
  [
    'keys that outlive their end',
    'packages/dev-env/test/security/access.test.ts',
    'a key that was regenerated sends no more',
  ],
  [
    'polls that outlive the account',
    'packages/dev-env/test/events/queue-ends.test.ts',
    'a user ends a poll that waits',
  ],
  [
    'keys found by their timing',
    'services/realm/src/api-keys/authenticate.test.ts',
    'stores a key as its SHA-256 only',
  ],
  ['addresses found by refusals', 'services/realm/src/api-keys/authenticate.test.ts', 'tell nothing of the address'],
  ['roles beyond one’s own', 'services/realm/src/accounts/permissions.test.ts', 'makes an account of role'],
  // Users' texts.
  ['markup that runs', 'packages/shared/src/markdown/render-markdown.property.test.ts', 'allowed markup only'],
  ['addresses that run', 'packages/shared/src/wire/safe-addresses.test.ts', 'could run code are left out'],
  ['markup past the renderer', 'packages/shared/src/markdown/sanitise/sanitise.test.ts', 'anything else is cut'],
  ['patterns that explode', 'packages/shared/src/markdown/hostile-input.test.ts', 'stays linear'],
  ['contents that explode', 'packages/shared/src/markdown/hostile-input.test.ts', 'rendered or refused in time'],
  ['searches without end', 'services/messages/src/narrows/compile-narrow.test.ts', 'a search of %s is refused'],
  ['redirects inside', 'packages/shared/src/outside-http/outside-http.test.ts', 'lead nowhere'],
  ['forms without end', 'services/gateway/test/http/envelope.test.ts', 'a form that is too large'],
  // Clients that come and go.
  [
    'sent again, twice there',
    'packages/dev-env/test/messages/exactly-once.test.ts',
    'with the same local_id, over any replica',
  ],
  [
    'sent, killed, sent again',
    'packages/dev-env/test/messages/exactly-once.test.ts',
    'the gateway asks again for its id, as does its sender',
  ],
  [
    'a queue dies with its process',
    'packages/dev-env/test/events/events-pods.test.ts',
    'that is killed under load, and its successor, lose and repeat no event, and no client registers again',
  ],
  ['a queue dies of sleep', 'services/events/test/queues.test.ts', 'lives seven days at most'],
  [
    'messages missed in silence',
    'services/events/test/log.test.ts',
    'a cursor before the window of a pod is refused at once',
  ],
  ['all come back at once', 'services/gateway/test/people/visitors.test.ts', 'does not delay signed-in users'],
  ['a queue fills the memory', 'services/events/test/queues.test.ts', 'take up too much of the pod'],
  ['one copy for each client', 'services/events/test/delivery.test.ts', 'serialized once per variant'],
  [
    'an upgrade ends what is open',
    'packages/dev-env/test/upgrades/rolling-upgrade.test.ts',
    'no client registered again, and no event was lost, repeated or out of order',
  ],
  // Large organizations.
  [
    'a send that grows with its receivers',
    'packages/dev-env/test/messages/send-budget.test.ts',
    'a send costs at most',
  ],
  [
    'a state that grows with the organization',
    'services/realm/src/register/get-register-state.test.ts',
    'however large',
  ],
  ['all marked as read, too late', 'services/messages/src/read-state/unread.sql.test.ts', 'moves one watermark'],
  [
    'unread in the wrong place',
    'services/messages/src/edits/move-messages.test.ts',
    'messages keep their read state wherever they move',
  ],
  ['presence of all to all', 'services/realm/src/presence/presence.test.ts', 'those changed since an update'],
  ['notices by each replica', 'packages/dev-env/test/messages/notices.test.ts', 'one message of the notification bot'],
  // Invitations.
  [
    'a key opens another organization',
    'services/invites/src/acceptance/accept-invitation.test.ts',
    'of another organization',
  ],
  ['a key opens after its end', 'services/invites/src/acceptance/accept-invitation.test.ts', 'revoked, expired'],
  ['a key is guessed', 'services/invites/src/acceptance/accept-invitation.test.ts', 'attempts are rate limited'],
  ['a key is read in the database', 'services/invites/src/invitations/send-invitations.test.ts', 'stores no key'],
  ['one key, two accounts', 'packages/dev-env/test/invitations/invitation-pages.test.ts', 'one account comes of it'],
  ['half an account', 'packages/dev-env/test/invitations/invite-crashes.test.ts', 'makes one account'],
  [
    'a role beyond the sender’s',
    'services/invites/src/invitations/permissions.test.ts',
    'inviters cannot grant a role above their own',
  ],
  ['channels without the right', 'services/realm/src/invite-facts/invite-facts.test.ts', 'the right to add people'],
  ['groups without the right', 'services/realm/src/invite-facts/invite-facts.test.ts', 'the right to add members'],
  ['mails without end', 'services/invites/src/invitations/send-invitations.test.ts', 'the daily limit'],
  [
    'the sender is gone',
    'services/invites/src/invitations/manage-invitations.test.ts',
    'its invitations are revoked, and administrators are notified once',
  ],
  ['markup in a page', 'services/gateway/test/people/invitation-acceptance.test.ts', 'escape texts of users'],
  ['markup in a mail', 'packages/shared/src/mail/compose-mail.test.ts', 'texts of users are escaped'],
  ['headers in a name', 'packages/shared/src/mail/mailers.test.ts', 'makes neither headers nor recipients'],
  [
    'a mail is lost with its process',
    'packages/dev-env/test/invitations/mail-kills.test.ts',
    'mails whose acceptance got lost are sent again unchanged',
  ],
  // Scheduled work.
  [
    'sent twice, or never',
    'packages/dev-env/test/scheduled/scheduler-crashes.test.ts',
    'all is sent once, with one event',
  ],
  ['sent by each replica', 'packages/shared/src/jobs/due-jobs.test.ts', 'each is done once'],
  [
    'dropped while away',
    'packages/dev-env/test/scheduled/scheduled-messages.test.ts',
    'sends messages that became due meanwhile',
  ],
  [
    'sent a day late',
    'packages/dev-env/test/scheduled/scheduled-messages.test.ts',
    'sends nothing that is later than is allowed',
  ],
  [
    'rights of long ago',
    'packages/dev-env/test/scheduled/scheduled-messages.test.ts',
    'by the rights of that time, not of now',
  ],
  [
    'the author is gone',
    'packages/dev-env/test/scheduled/scheduled-messages.test.ts',
    'is not sent for a deactivated user',
  ],
  [
    'schedules without end',
    'packages/dev-env/test/scheduled/scheduled-messages.test.ts',
    'the scheduled messages of a user are limited',
  ],
  [
    'a reminder shows what is hidden',
    'packages/dev-env/test/scheduled/reminders.test.ts',
    'a reminder of an unreadable message is refused',
  ],
  ['deleted by each replica', 'services/scheduler/src/retention/retention.test.ts', 'by one replica of those'],
  [
    'deleted without a word',
    'packages/dev-env/test/scheduled/retention.test.ts',
    'expired messages are deleted once, a hundred at a time, with events for their holders',
  ],
  // Calls to bots.
  ['addresses inside', 'packages/shared/src/outside-http/outside-http.test.ts', 'resolved once for a connection'],
  [
    'addresses inside, as bots',
    'packages/dev-env/test/people/outgoing-webhooks.test.ts',
    'an address that may not be reached',
  ],
  [
    'an answer as attack',
    'services/scheduler/src/webhooks/read-answer.test.ts',
    'every answer is parsed or refused, and a reply is a text',
  ],
  ['an answer without end', 'packages/shared/src/outside-http/outside-http.test.ts', 'that is too large is refused'],
  [
    'an answer without the right',
    'services/scheduler/src/webhooks/deliver-call.test.ts',
    'a refused reply is reported in the channel, unless that is deleted, and always to the owner',
  ],
  [
    'called without identity',
    'packages/dev-env/test/people/outgoing-webhooks.test.ts',
    'a call without an answer is repeated with the same id, then given up, and may be replayed',
  ],
  [
    'answers said twice',
    'packages/dev-env/test/scheduled/scheduler-crashes.test.ts',
    'all is sent once, with one event',
  ],
  ['one slow bot, all wait', 'services/scheduler/src/webhooks/deliver-call.test.ts', 'others do not wait for it'],
  [
    'a deactivated bot in the way',
    'services/scheduler/src/webhooks/deliver-call.test.ts',
    'deleted messages call no bots, and deactivated bots are not called',
  ],
  [
    'bots that call each other',
    'packages/dev-env/test/people/outgoing-webhooks.test.ts',
    'messages of bots, silent mentions, wildcard mentions and mentions of deactivated bots call no webhook',
  ],
];

test.each(HAZARDS)('there is a test for this: %s', (_hazard, file, title) => {
  const titles = [
    ...readFileSync(path.join(ROOT, file), 'utf8').matchAll(/^\s*(?:describe|test|\]\)).*?(['`"])(.*)\1/gm),
  ];
  expect(titles.map(([, , found]) => found)).toContainEqual(expect.stringContaining(title));
});
