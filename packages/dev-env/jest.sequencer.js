// The longest suites first, so that the workers end together; Jest alone knows the longest only of what it has run before.
const { default: Sequencer } = require('@jest/test-sequencer');

const LONGEST = [
  'events/one-cut',
  'replay/messages',
  'operations/npm-start',
  'replay/users',
  'replay/channels',
  'web/conversations',
  'web/hostile-and-access',
  'scheduled/scheduler-crashes',
  'replay/settings',
  'outages/lost-answers',
  'invitations/invite-crashes',
  'replay/flags',
  'web/ways-in',
  'security/external-sign-in',
  'documents/docs-page',
  'security/revoked-credentials',
  'invitations/invitation-pages',
  'operations/dependencies',
  'web/places',
  'web/settings',
  'channels/private-channels',
  'web/composing',
  'messages/exactly-once',
  'security/hidden-as-absent',
  'events/queue-ends',
  'replay/groups',
  'invitations/invitations',
  'operator/people',
  'documents/api-examples',
  'operator/health',
  'operator/erasure',
  'replay/first-messages',
  'people/accounts',
  'replay/schedule',
  'events/events-pods',
  'events/late-consumers',
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
