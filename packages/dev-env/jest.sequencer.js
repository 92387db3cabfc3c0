// The longest suites first, so that the workers end together; Jest alone knows the longest only of what it has run before.
const { default: Sequencer } = require('@jest/test-sequencer');

const LONGEST = [
  'events/one-cut',
  'replay/random-changes',
  'replay/messages',
  'operations/npm-start',
  'replay/flags',
  'channels/private-channels',
  'replay/users',
  'replay/channels',
  'away/mail-in-crashes',
  'security/external-sign-in',
  'away/push-crashes',
  'web/hostile-and-access',
  'web/conversations',
  'away/missed-mail-crashes',
  'replay/settings',
  'security/revoked-credentials',
  'invitations/invite-crashes',
  'scheduled/scheduler-crashes',
  'away/mail-in',
  'away/browser-push',
  'web/ways-in',
  'operations/dependencies',
  'web/places',
  'web/settings',
  'outages/lost-answers',
  'web/composing',
  'away/digest-crashes',
  'replay/groups',
  'security/hidden-as-absent',
  'replay/first-messages',
  'operator/health',
  'away/missed-mails',
  'documents/docs-page',
  'events/late-consumers',
  'operator/kills',
  'messages/exactly-once',
  'messages/read-state',
  'events/capability-table',
  'invitations/invitation-pages',
  'messages/notices',
  'people/outgoing-webhooks',
];

/** Their place among the longest; after them all others have the same. */
const placeOf = ({ path }) => {
  const place = LONGEST.findIndex((name) => path.endsWith(`/test/${name}.test.ts`));
  return place === -1 ? LONGEST.length : place;
};

module.exports = class extends Sequencer {
  sort(tests) {
    return super.sort(tests).sort((a, b) => placeOf(a) - placeOf(b));
  }
};
