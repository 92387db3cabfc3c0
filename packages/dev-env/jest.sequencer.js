// The longest suites first, so that the workers end together; Jest alone knows the longest only of what it has run before.
const { default: Sequencer } = require('@jest/test-sequencer');

const LONGEST = [
  'replay/messages',
  'operations/npm-start',
  'web/places',
  'replay/random-changes',
  'web/composing',
  'web/settings',
  'replay/users',
  'web/hostile-and-access',
  'replay/channels',
  'web/conversations',
  'web/ways-in',
  'away/mail-in-crashes',
  'away/push-crashes',
  'channels/private-channels',
  'replay/settings',
  'events/one-cut',
  'security/external-sign-in',
  'away/missed-mail-crashes',
  'scheduled/scheduler-crashes',
  'web/saving',
  'security/revoked-credentials',
  'outages/lost-answers',
  'replay/flags',
  'security/hidden-as-absent',
  'replay/groups',
  'away/mail-in',
  'away/digest-crashes',
  'events/late-consumers',
  'operator/kills',
  'operations/dependencies',
  'away/browser-push',
  'replay/first-messages',
  'web/messages',
  'invitations/invite-crashes',
  'invitations/invitation-pages',
  'people/outgoing-webhooks',
  'away/missed-mails',
  'away/push',
  'operator/health',
  'messages/notices',
  'messages/exactly-once',
  'documents/docs-page',
  'documents/api-examples',
  'operator/archives',
  'architecture',
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
