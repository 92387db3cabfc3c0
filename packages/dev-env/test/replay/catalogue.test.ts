import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { domainEvents, type PublicShape } from '@parley/shared/events';
import { publishedPayloads } from './published-payloads';

/** Properties that an `update` changes one at a time. */
const REPLAYED_PROPERTIES = [
  ...['name', 'description', 'invite_only', 'message_retention_days', 'stream_post_policy', 'is_announcement_only'].map(
    (name) => `stream/update:${name}`,
  ),
  ...['first_message_id', 'folder_id', 'topics_policy', 'is_archived', 'is_recently_active'].map(
    (name) => `stream/update:${name}`,
  ),
  ...['full_name', 'avatar_url', 'timezone', 'bot_owner_id', 'role', 'delivery_email', 'new_email', 'is_active'].map(
    (name) => `realm_user/update:${name}`,
  ),
  'realm_user/update:custom_profile_field',
  'realm_bot/update:services',
];

const EVENTS_TESTS = '../../../../services/events/test';
const SHARED_EVENTS = '../../../shared/src/events';

/** Events that change nothing in the state, with the test for each. */
const WITHOUT_STATE: Readonly<Record<string, string>> = {
  typing: '../people/presence-and-typing.test.ts',
  typing_edit_message: '../people/presence-and-typing.test.ts',
  'realm/deactivated': '../events/queue-ends.test.ts',
  invites_changed: `${SHARED_EVENTS}/invitations.test.ts`,
  heartbeat: `${EVENTS_TESTS}/queues.test.ts`,
};

const PUBLISHED = Object.keys(publishedPayloads());

/** The other events change a client's state: each has a scenario in a test in this folder. */
const REPLAYED = PUBLISHED.filter((name) => !(name in WITHOUT_STATE) && !(typeOf(name) in WITHOUT_STATE));

/** Operations of existing types, with the reason why no client gets them. */
const NEVER_SENT: Readonly<Record<string, string>> = {
  'device/update': 'no service carries notifications',
  'realm_bot/remove': 'deprecated: bots that are out of use are updated',
};

/** Types of events that are never sent, with the reason. */
const ABSENT: Readonly<Record<string, string>> = {
  has_zoom_token: 'Zoom is not configured',
  push_device: 'no service carries notifications',
  web_reload_client: 'this server serves no web app',
  realm_filters: 'never sent since linkifiers have templates',
};

const scenarios = readdirSync(__dirname)
  .filter((name) => /^(?!catalogue|event-payloads).*\.test\.ts$/.test(name))
  .map((name) => readFileSync(path.join(__dirname, name), 'utf8'))
  .join('\n');

function isNamed(name: string): boolean {
  return new RegExp(`['"\`]${name}['"\`:]`).test(scenarios);
}

function typeOf(name: string): string {
  return name.split('/')[0] as string;
}

test.each([...REPLAYED, ...REPLAYED_PROPERTIES])('%s has a scenario', (name) => {
  expect(isNamed(name)).toBe(true);
});

test.each(Object.entries(WITHOUT_STATE))('%s is held by %s', (name, file) => {
  expect(readFileSync(path.join(__dirname, file), 'utf8')).toContain(`'${typeOf(name)}'`);
});

test('the reference of the API describes the types that domain events have, and no others', () => {
  const shapes = Object.values(domainEvents).flatMap(({ publicShapes }) => publicShapes as PublicShape<never>[]);
  const types = [...new Set(shapes.map(({ type }) => type))];
  expect(types.filter((type) => type in ABSENT)).toEqual([]);
  const ofQueues = PUBLISHED.filter((name) => !types.includes(typeOf(name)));
  expect(ofQueues).toEqual(['heartbeat']);
  expect(types.filter((type) => !PUBLISHED.some((name) => typeOf(name) === type))).toEqual([]);
});

test('events without state are in the reference; types that are never sent are not', () => {
  const isPublished = (name: string) => PUBLISHED.some((published) => published === name || typeOf(published) === name);
  expect(Object.keys(WITHOUT_STATE).filter((name) => !isPublished(name))).toEqual([]);
  expect(Object.keys(NEVER_SENT).filter(isPublished)).toEqual([]);
});

test('every op that a declaration names is in the reference', () => {
  const folder = path.join(__dirname, SHARED_EVENTS);
  const unknown = readdirSync(folder).flatMap((file) => {
    const source = readFileSync(path.join(folder, file), 'utf8');
    const named = (pattern: RegExp) => [...source.matchAll(pattern)].map(([, name]) => name);
    const types = named(/\btype: '(\w+)'/g);
    const isPublished = (op?: string) => types.some((type) => PUBLISHED.includes(`${type}/${op}`));
    return named(/\bop: '(\w+)',/g).flatMap((op) => (isPublished(op) ? [] : `${file}: ${op}`));
  });
  expect(unknown).toEqual([]);
});
