import {
  addLinkifier,
  archiveChannel,
  createBot,
  createChannel,
  createGroup,
  deactivateGroup,
  deleteTopic,
  sendMessage,
  setTypingStatus,
  subscribe,
  unsubscribe,
  updatePresence,
  updateRealm,
  updateUserSettings,
  updateUserTopic,
} from '@parley/gateway/endpoints';
import { newCall } from '@parley/shared/rpc';
import { ROLES } from '@parley/shared/values';
import { type PublicEvent, type TestClient, TestNetwork } from '../../src';

type Item = Record<string, unknown>;

/** The events and the later state of a client without a capability, and of one with it. */
interface Row {
  capability: string;
  who?: 'dan' | 'faye';
  act: (network: TestNetwork) => Promise<unknown>;
  event: (event: PublicEvent) => unknown;
  /** undefined: nothing. */
  received: [without: unknown, knowing: unknown];
  state?: (state: Item) => unknown;
  held?: [without: unknown, knowing: unknown];
}

const GENERAL = 'general';
const itemOf = (state: Item, list: string, match: Item) =>
  (state[list] as Item[]).find((item) => Object.entries(match).every(([name, value]) => item[name] === value));

async function idOf({ dan }: TestNetwork, name: string): Promise<number> {
  const { streams } = (await dan.events({ fetch_event_types: ['stream'] })).state as { streams: Item[] };
  return streams.find((each) => each['name'] === name)?.['stream_id'] as number;
}

const say = ({ dan }: TestNetwork, topic: string) =>
  dan.call(sendMessage, { type: 'channel', to: GENERAL, topic, content: 'x' });

const newPerson = ({ realmService }: TestNetwork) =>
  realmService.createUser(newCall(), { subdomain: '', email: 'pip@example.com', fullName: 'Pip', role: ROLES.member });

const rows: Row[] = [
  {
    capability: 'notification_settings_null',
    async act({ iris, dan }) {
      await dan.call(updateUserSettings, { enable_stream_push_notifications: true });
      await iris.call(subscribe, { subscriptions: [{ name: 'chimes' }], principals: [dan.userId] });
    },
    event: ({ type, op, subscriptions: [one] = [] }: PublicEvent & { subscriptions?: Item[] }) =>
      type === 'subscription' && op === 'add' ? [one?.['push_notifications'], one?.['email_notifications']] : undefined,
    received: [
      [true, false],
      [null, null],
    ],
    state: (state) => {
      const one = itemOf(state, 'subscriptions', { name: 'chimes' });
      return [one?.['push_notifications'], one?.['email_notifications']];
    },
    held: [
      [true, false],
      [null, null],
    ],
  },
  {
    capability: 'bulk_message_deletion',
    async act(network) {
      await say(network, 'gone');
      const stream_id = await idOf(network, GENERAL);
      await network.iris.call(deleteTopic, { stream_id, topic_name: 'gone' });
    },
    event: ({ type, ...event }) => (type === 'delete_message' ? 'message_ids' in event : undefined),
    received: [false, true],
  },
  {
    capability: 'user_avatar_url_field_optional',
    act: ({ iris }) => iris.call(createBot, { full_name: 'Pia', short_name: 'pia' }),
    event: ({ type, op, person }) =>
      type === 'realm_user' && op === 'add' ? 'avatar_url' in (person as Item) : undefined,
    received: [true, true],
    state: (state) => (state['realm_users'] as Item[]).every((user) => 'avatar_url' in user),
    held: [true, true],
  },
  {
    capability: 'stream_typing_notifications',
    act: async (network) =>
      network.iris.call(setTypingStatus, {
        ...{ type: 'channel', op: 'start', topic: 'typing' },
        stream_id: await idOf(network, GENERAL),
      }),
    event: ({ type, message_type: of }) => (type === 'typing' ? of : undefined),
    received: [undefined, 'stream'],
  },
  {
    capability: 'user_settings_object',
    act: ({ dan }) => dan.call(updateUserSettings, { twenty_four_hour_time: true }),
    event: ({ type, ...event }) => (type.startsWith('update_display') ? event['setting_name'] : undefined),
    received: ['twenty_four_hour_time', undefined],
    state: (state) => [state['twenty_four_hour_time'], state['enable_sounds']],
    held: [
      [true, true],
      [undefined, undefined],
    ],
  },
  {
    capability: 'linkifier_url_template',
    act: ({ iris }) => iris.call(addLinkifier, { pattern: '#(?P<id>[0-9]+)', url_template: 'https://x.example/{id}' }),
    event: ({ type, realm_linkifiers: all }) => (type === 'realm_linkifiers' ? (all as Item[]).length : undefined),
    received: [0, 1],
    state: (state) => (state['realm_linkifiers'] as Item[]).length,
    held: [0, 1],
  },
  {
    capability: 'include_deactivated_groups',
    async act({ iris }) {
      const { group_id } = await iris.call(createGroup, { name: 'crew', description: '', members: [] });
      await iris.call(deactivateGroup, { user_group_id: group_id });
    },
    event: ({ type, op }) => (type === 'user_group' && op !== 'add' ? op : undefined),
    received: ['remove', 'update'],
    state: (state) => itemOf(state, 'realm_user_groups', { name: 'crew' })?.['deactivated'],
    held: [undefined, true],
  },
  {
    capability: 'archived_channels',
    async act({ iris, dan }) {
      const { id } = await iris.call(createChannel, { name: 'attic', subscribers: [iris.userId, dan.userId] });
      await iris.call(archiveChannel, { stream_id: id });
    },
    event: ({ type, op }) => (type === 'stream' && op !== 'create' ? op : undefined),
    received: ['delete', 'update'],
    state: (state) => itemOf(state, 'subscriptions', { name: 'attic' })?.['is_archived'],
    held: [undefined, true],
  },
  {
    capability: 'empty_topic_name',
    async act(network) {
      const stream_id = await idOf(network, GENERAL);
      await network.dan.call(updateUserTopic, { stream_id, topic: '', visibility_policy: 3 });
    },
    event: ({ type, topic_name: topic }) => (type === 'user_topic' ? topic : undefined),
    received: ['general chat', ''],
    state: (state) => (state['user_topics'] as Item[]).find(({ topic_name: name }) => name !== 'gone')?.['topic_name'],
    held: ['general chat', ''],
  },
  {
    capability: 'simplified_presence_events',
    act: ({ iris }) => iris.call(updatePresence, { status: 'active' }),
    event: ({ type, ...event }) => (type === 'presence' ? 'presences' in event : undefined),
    received: [false, true],
    state: (state) => Object.keys(state['presences'] as Item).every((key) => /^\d+$/.test(key)),
    held: [false, true],
  },
  {
    capability: 'user_list_incomplete',
    who: 'faye',
    act: newPerson,
    event: ({ type, op, person }) =>
      type === 'realm_user' && op === 'add' ? (person as Item)['full_name'] : undefined,
    received: ['Unknown user', undefined],
    state: (state) => (state['realm_users'] as Item[]).some(({ full_name: name }) => name === 'Unknown user'),
    held: [true, false],
  },
];

let network: TestNetwork;
beforeAll(async () => {
  network = await TestNetwork.create();
});
afterAll(() => network.stop());

const register = (client: TestClient, capabilities: Record<string, boolean>) =>
  client.events({ client_capabilities: capabilities });

test.each(rows)('$capability decides the form of events and answers', async (row) => {
  const { capability, who = 'dan', act, event, received, state, held } = row;
  if (who === 'faye') await restrictGuests();
  const kinds = [{}, { [capability]: true }];
  const queues = await Promise.all(kinds.map((kind) => register(network[who], kind)));
  await act(network);
  await network.settle();
  const heard = await Promise.all(queues.map((queue) => queue.rest()));
  const shown = heard.map((events) => events.map(event).filter((each) => each !== undefined));
  expect(shown.map(([first]) => first)).toEqual(received);
  if (!state) return;
  const fresh = await Promise.all(kinds.map((kind) => register(network[who], kind)));
  expect(fresh.map((queue) => state(queue.state))).toEqual(held);
});

/** The guest knows only whom they meet in channels, and is in none. */
async function restrictGuests(): Promise<void> {
  const { iris, faye } = network;
  const { subscriptions } = (await faye.events({ fetch_event_types: ['subscription'] })).state as Record<
    string,
    Item[]
  >;
  const names = subscriptions?.map(({ name }) => name as string) as string[];
  await iris.call(unsubscribe, { subscriptions: names, principals: [faye.userId] });
  const { realm_user_groups: groups } = (await iris.events({ fetch_event_types: ['realm_user_groups'] })).state;
  const members = (groups as Item[]).find(({ name }) => name === 'role:members')?.['id'] as number;
  await iris.call(updateRealm, { can_access_all_users_group: { new: members } });
  await network.settle();
}

test('settings are answered as members to clients of old that ask for them by the types of their events', async () => {
  const { dan } = network;
  const display = await dan.events({ fetch_event_types: ['update_display_settings'] });
  expect(display.state).toMatchObject({ twenty_four_hour_time: true, color_scheme: 1, timezone: '' });
  expect(display.state).toHaveProperty('emojiset_choices');
  expect(display.state).not.toHaveProperty('enable_sounds');
  const notifications = await dan.events({ event_types: ['update_global_notifications'] });
  expect(notifications.state).toMatchObject({ enable_sounds: true, presence_enabled: true });
  expect(notifications.state).toHaveProperty('available_notification_sounds');
  expect(notifications.state).not.toHaveProperty('twenty_four_hour_time');
  const types = ['update_display_settings', 'update_global_notifications'];
  const modern = { fetch_event_types: types, client_capabilities: { user_settings_object: true } };
  expect((await dan.events(modern)).state).not.toHaveProperty('twenty_four_hour_time');
});

test('old clients get settings by the old events, each setting in one event', async () => {
  const { dan } = network;
  const types = ['update_display_settings', 'update_global_notifications'];
  const queue = await dan.events({ event_types: types, fetch_event_types: [] });
  await dan.call(updateUserSettings, { default_language: 'fr', enable_sounds: false, web_font_size_px: 20 });
  await dan.call(updateUserSettings, { timezone: 'Asia/Tokyo' });
  await network.settle();
  const [display, global] = types;
  expect(await queue.rest()).toMatchObject([
    { type: display, user: dan.email, setting_name: 'default_language', setting: 'fr', language_name: 'Français' },
    { type: global, user: dan.email, notification_name: 'enable_sounds', setting: false },
    { type: display, user: dan.email, setting_name: 'timezone', setting: 'Asia/Tokyo' },
  ]);
});
