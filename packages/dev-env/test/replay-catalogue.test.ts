import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { domainEvents, type PublicShape } from '@parley/shared/events';
import { publishedPayloads } from './event-payloads/published-payloads';

/** Events that change what a client has fetched, by `type` or `type/op`: each has its scenario in a replay-*.test.ts beside this file. */
const REPLAYED = [
  ...['message', 'update_message', 'delete_message', 'submessage', 'reaction/add', 'reaction/remove'],
  ...['update_message_flags/add', 'update_message_flags/remove'],
  ...['attachment/add', 'attachment/update', 'attachment/remove'],
  ...['user_topic', 'muted_topics'],
  ...['stream/create', 'stream/delete', 'stream/update'],
  ...['subscription/add', 'subscription/remove', 'subscription/update'],
  ...['subscription/peer_add', 'subscription/peer_remove'],
  ...['default_streams', 'default_stream_groups'],
  ...['channel_folder/add', 'channel_folder/update', 'channel_folder/reorder'],
  ...['realm_user/add', 'realm_user/remove', 'realm_user/update'],
  ...['realm_bot/add', 'realm_bot/update', 'realm_bot/delete'],
  ...['user_group/add', 'user_group/update', 'user_group/remove'],
  ...['user_group/add_members', 'user_group/remove_members'],
  ...['user_group/add_subgroups', 'user_group/remove_subgroups'],
  ...['user_status', 'presence', 'alert_words', 'muted_users', 'onboarding_steps'],
  ...['device/add', 'device/remove'],
  ...['navigation_view/add', 'navigation_view/update', 'navigation_view/remove'],
  ...['drafts/add', 'drafts/update', 'drafts/remove'],
  ...['saved_snippets/add', 'saved_snippets/update', 'saved_snippets/remove'],
  ...['scheduled_messages/add', 'scheduled_messages/update', 'scheduled_messages/remove'],
  ...['reminders/add', 'reminders/remove'],
  ...['update_display_settings', 'update_global_notifications'],
  ...['user_settings/update', 'realm_user_settings_defaults/update'],
  ...['realm/update', 'realm/update_dict', 'realm_emoji/update', 'realm_linkifiers', 'realm_playgrounds'],
  ...['realm_domains/add', 'realm_domains/change', 'realm_domains/remove', 'custom_profile_fields'],
  ...['realm_export', 'realm_export_consent', 'restart'],
];

/** Properties that an `update` tells of one at a time. */
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

const EVENTS_TESTS = '../../../services/events/test';
const SHARED_EVENTS = '../../shared/src/events';

/** Events that change nothing that was fetched, and the test that holds them. */
const WITHOUT_STATE: Readonly<Record<string, string>> = {
  typing: 'presence-and-typing.test.ts',
  typing_edit_message: 'presence-and-typing.test.ts',
  'realm/deactivated': 'queue-ends.test.ts',
  invites_changed: `${SHARED_EVENTS}/invitations-changed.test.ts`,
  heartbeat: `${EVENTS_TESTS}/queues.test.ts`,
};

/** Operations of types that are there, with the reason why no client gets them. */
const NEVER_SENT: Readonly<Record<string, string>> = {
  'device/update': 'no service carries notifications',
  'realm_bot/remove': 'deprecated: bots that are out of use are updated',
};

/** Types of events that nothing produces, with the reason. */
const ABSENT: Readonly<Record<string, string>> = {
  has_zoom_token: 'Zoom is not configured',
  push_device: 'no service carries notifications',
  web_reload_client: 'this server serves no web app',
  realm_filters: 'never sent since linkifiers have templates',
};

const scenarios = readdirSync(__dirname)
  .filter((name) => /^replay-(?!catalogue).*\.test\.ts$/.test(name))
  .map((name) => readFileSync(path.join(__dirname, name), 'utf8'))
  .join('\n');

function isNamed(name: string): boolean {
  return new RegExp(`['"\`]${name}['"\`:]`).test(scenarios);
}

const typeOf = (name: string) => name.split('/')[0] as string;

test.each([...REPLAYED, ...REPLAYED_PROPERTIES])('%s has a scenario', (name) => {
  expect(isNamed(name)).toBe(true);
});

test.each(Object.entries(WITHOUT_STATE))('%s is held by %s', (name, file) => {
  expect(readFileSync(path.join(__dirname, file), 'utf8')).toContain(`'${typeOf(name)}'`);
});

test('every type that a domain event has is in a table, and none that is said to be absent', () => {
  const shapes = Object.values(domainEvents).flatMap(({ publicShapes }) => publicShapes as PublicShape<never>[]);
  const types = new Set(shapes.map(({ type }) => type));
  const known = new Set([...REPLAYED, ...Object.keys(NEVER_SENT), ...Object.keys(WITHOUT_STATE)].map(typeOf));
  expect([...types].filter((type) => !known.has(type))).toEqual([]);
  expect([...types].filter((type) => type in ABSENT)).toEqual([]);
});

test('the reference of the API describes what each of them has, and nothing else', () => {
  const isTyping = (name: string) => name.startsWith('typing');
  const others = Object.keys(WITHOUT_STATE).flatMap((name) =>
    isTyping(name) ? [`${name}/start`, `${name}/stop`] : name,
  );
  expect(Object.keys(publishedPayloads()).sort()).toEqual([...REPLAYED, ...others].sort());
});

test('every op that a declaration names is in the reference', () => {
  const published = Object.keys(publishedPayloads());
  const folder = path.join(__dirname, SHARED_EVENTS);
  const unknown = readdirSync(folder).flatMap((file) => {
    const source = readFileSync(path.join(folder, file), 'utf8');
    const named = (pattern: RegExp) => [...source.matchAll(pattern)].map(([, name]) => name);
    const types = named(/\btype: '(\w+)'/g);
    const isPublished = (op?: string) => types.some((type) => published.includes(`${type}/${op}`));
    return named(/\bop: '(\w+)',/g).flatMap((op) => (isPublished(op) ? [] : `${file}: ${op}`));
  });
  expect(unknown).toEqual([]);
});
