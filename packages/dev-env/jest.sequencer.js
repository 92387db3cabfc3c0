// The longest suites first, so that the workers end together; Jest alone knows the longest only of what it has run before.
const { default: Sequencer } = require('@jest/test-sequencer');

const LONGEST = [
  'events/one-cut',
  'operations/npm-start',
  'event-loop/event-loop',
  'web/conversations',
  'web/composing',
  'web/places',
  'web/settings',
  'web/ways-in',
  'web/hostile-and-access',
  'replay/messages',
  'replay/channels',
  'outages/lost-answers',
  'scheduled/scheduler-crashes',
  'invitations/invite-crashes',
  'replay/settings',
  'operations/dependencies',
  'replay/users',
  'documents/docs-page',
  'invitations/invitation-pages',
  'replay/flags',
  'messages/exactly-once',
  'replay/first-messages',
  'channels/private-channels',
  'replay/groups',
  'invitations/invitations',
  'events/queue-ends',
  'people/accounts',
  'operator/archives',
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
