import {
  addUser,
  createBot,
  createDataExport,
  createProfileField,
  deactivateBot,
  deactivateUser,
  deleteDataExport,
  findChannel,
  getDataExports,
  listSubscriptions,
  reactivateUser,
  regenerateBotApiKey,
  registerQueue,
  removeAvatar,
  removeProfileField,
  removeProfileValues,
  sendMessage,
  setProfileValues,
  subscribe,
  unsubscribe,
  updateBot,
  updateChannel,
  updateOwnStatus,
  updateRealm,
  updateUser,
  updateUserSettings,
  updateUserStatus,
} from '@parley/gateway/endpoints';
import { newCall } from '@parley/shared/rpc';
import { ROLES } from '@parley/shared/values';
import { type TestClient, TestNetwork } from '../../src';
import { multipart, PNG } from '../multipart';
import { expectFreshEqualsReplayed, type Followers, followEveryone, makeReady } from './harness';
import { messagesReceived } from './messages-received';

let network: TestNetwork;
let followers: Followers;
/** No test follows this client's events. */
let gil: TestClient;

const GIL = { email: 'gil@example.com', fullName: 'Gil', role: ROLES.member };

beforeAll(async () => {
  network = await TestNetwork.create();
  const { iris } = network;
  const permit = { subdomain: '', email: iris.email, mayCreateUsers: true, mayChangeEmails: true };
  await network.realmService.permitUser(newCall(), permit);
  gil = network.clientOf(await network.realmService.createUser(newCall(), { subdomain: '', ...GIL }));
  await gil.call(createBot, { full_name: 'Gilbot', short_name: 'gil' });
  followers = await followEveryone(network);
});
afterAll(() => network.stop());

function expectReplayed(produced: readonly string[], action: () => Promise<unknown>) {
  return expectFreshEqualsReplayed(network, followers, produced, action);
}

function uploadPicture(client: TestClient, picture: Buffer) {
  const file = multipart({ name: 'x.png', bytes: picture, type: 'image/png' });
  return client.callRaw({ method: 'POST', path: '/api/v1/users/me/avatar', ...file });
}

describe('a user', () => {
  test('has another name', async () => {
    const { iris, eve } = network;
    await expectReplayed(['realm_user/update:full_name'], () =>
      iris.call(updateUser, { user_id: eve.userId, full_name: 'Eve Castle' }),
    );
    await expectReplayed(['realm_user/update:full_name'], () =>
      network.faye.call(updateUserSettings, { full_name: 'Faye D.' }),
    );
  });

  test('has another picture, and the former one again', async () => {
    await expectReplayed(['realm_user/update:avatar_url'], () => uploadPicture(network.eve, PNG));
    await expectReplayed(['realm_user/update:avatar_url'], () => network.eve.call(removeAvatar, {}));
  });

  test('allows the export of private data', async () => {
    await expectReplayed(['realm_export_consent'], () =>
      network.eve.call(updateUserSettings, { allow_private_data_export: true }),
    );
  });

  test('has an archive made of the organization', async () => {
    const { iris } = network;
    await expectReplayed(['realm_export', 'message'], async () => {
      await iris.call(createDataExport, {});
      while ((await iris.call(getDataExports, {})).exports.some(({ pending }) => pending));
    });
    const [made] = (await iris.call(getDataExports, {})).exports;
    await expectReplayed(['realm_export'], () => iris.call(deleteDataExport, { export_id: made?.id as number }));
  });

  test('lives in another time zone', async () => {
    await expectReplayed(['realm_user/update:timezone'], () =>
      network.dan.call(updateUserSettings, { timezone: 'Europe/Berlin' }),
    );
  });

  test('has a status, and changes and clears it', async () => {
    const { iris, dan } = network;
    await expectReplayed(['user_status', 'presence'], () =>
      dan.call(updateOwnStatus, { status_text: 'At lunch', emoji_name: 'car', away: true }),
    );
    await expectReplayed(['user_status'], () =>
      iris.call(updateUserStatus, { user_id: dan.userId, emoji_name: 'coffee' }),
    );
    await expectReplayed(['user_status'], () => dan.call(updateOwnStatus, { status_text: '', away: false }));
    await expectReplayed(['user_status'], () => dan.call(updateOwnStatus, { emoji_name: '' }));
  });

  test('says something in the profile, and no longer', async () => {
    const { iris, eve } = network;
    const { id } = await iris.call(createProfileField, { name: 'Motto', field_type: 2 });
    followers = await followEveryone(network);
    await expectReplayed(['realm_user/update:custom_profile_field'], () =>
      eve.call(setProfileValues, { data: [{ id, value: '*Onwards*' }] }),
    );
    await expectReplayed(['realm_user/update:custom_profile_field'], () =>
      eve.call(removeProfileValues, { data: [id] }),
    );
  });

  test('says something in a field of the profile that is removed', async () => {
    const { iris, eve } = network;
    const { id } = await iris.call(createProfileField, { name: 'Hobby', field_type: 1 });
    followers = await followEveryone(network);
    await makeReady(network, followers, () => eve.call(setProfileValues, { data: [{ id, value: 'Chess' }] }));
    await expectReplayed(['custom_profile_fields'], () => iris.call(removeProfileField, { field_id: id }));
  });

  test.each([4, 3, 2, 1])('shows the address to others: setting %d', async (email_address_visibility) => {
    await expectReplayed(['user_settings/update:email_address_visibility', 'realm_user/update:delivery_email'], () =>
      network.eve.call(updateUserSettings, { email_address_visibility }),
    );
  });

  test('has another address', async () => {
    const { iris } = network;
    await expectReplayed(['realm_user/update:delivery_email', 'realm_user/update:new_email'], () =>
      iris.call(updateUser, { user_id: gil.userId, new_email: 'gil.g@example.com' }),
    );
  });

  test.each([
    ['administrator', ROLES.administrator],
    ['moderator', ROLES.moderator],
    ['owner', ROLES.owner],
    ['guest', ROLES.guest],
    ['member', ROLES.member],
  ])('becomes %s', async (_, role) => {
    const { iris, dan } = network;
    await expectReplayed(['realm_user/update:role', 'user_group/add_members', 'user_group/remove_members'], () =>
      iris.call(updateUser, { user_id: dan.userId, role }),
    );
  });

  test('registers again when another role sees or hides addresses of others', async () => {
    const { iris, dan, eve } = network;
    await makeReady(network, followers, () => eve.call(updateUserSettings, { email_address_visibility: 5 }));
    for (const role of [ROLES.moderator, ROLES.member]) {
      const change = () => iris.call(updateUser, { user_id: dan.userId, role });
      await expectFreshEqualsReplayed(network, followers, ['realm_user/update:role'], change, {
        endsQueuesOf: ['dan'],
      });
    }
    await makeReady(network, followers, () => eve.call(updateUserSettings, { email_address_visibility: 1 }));
  });

  test('is deactivated with their bots, and brought back with status and presence', async () => {
    const { iris } = network;
    const readdressed = network.clientOf({ ...gil, email: 'gil.g@example.com' });
    await makeReady(network, followers, () =>
      readdressed.call(updateOwnStatus, { status_text: 'Here again', emoji_name: 'car', away: true }),
    );
    const produced = [
      ...['realm_user/update:is_active', 'realm_bot/update:is_active'],
      ...['user_group/remove_members', 'subscription/peer_remove'],
    ];
    await expectReplayed(produced, () => iris.call(deactivateUser, { user_id: gil.userId }));
    const back = ['realm_user/update:is_active', 'user_status', 'presence'];
    await expectReplayed([...back, 'user_group/add_members', 'subscription/peer_add'], () =>
      iris.call(reactivateUser, { user_id: gil.userId }),
    );
  });

  test('is new', async () => {
    const account = { email: 'hal@example.com', full_name: 'Hal', password: 'correct horse battery' };
    await expectReplayed(['realm_user/add', 'user_group/add_members', 'subscription/peer_add'], () =>
      network.iris.call(addUser, account),
    );
  });
});

describe('a bot', () => {
  let botId: number;

  test('is made', async () => {
    await expectReplayed(['realm_user/add', 'realm_bot/add'], async () => {
      const bot = { full_name: 'Hook', short_name: 'hook', bot_type: 3, payload_url: 'https://hooks.example/1' };
      botId = (await network.iris.call(createBot, bot)).user_id;
    });
  });

  test('has another name, other channels, and another address to call', async () => {
    const updates: [string, object][] = [
      ['realm_bot/update:full_name', { full_name: 'Crook' }],
      ['realm_bot/update:default_sending_stream', { default_sending_stream: 'general' }],
      ['realm_bot/update:default_events_register_stream', { default_events_register_stream: 'general' }],
      ['realm_bot/update:default_all_public_streams', { default_all_public_streams: true }],
      ['realm_bot/update:services', { service_payload_url: 'https://hooks.example/2' }],
    ];
    const produced = updates.map(([name]) => name);
    await expectReplayed(produced, async () => {
      for (const [, changes] of updates) await network.iris.call(updateBot, { bot_id: botId, ...changes });
    });
  });

  test('has another name and address, as accounts of people have', async () => {
    const { iris } = network;
    await expectReplayed(
      ['realm_user/update:full_name', 'realm_bot/update:full_name', 'realm_bot/update:avatar_url'],
      () => iris.call(updateUser, { user_id: botId, full_name: 'Fishhook' }),
    );
    await expectReplayed(['realm_bot/update:email'], () =>
      iris.call(updateUser, { user_id: botId, new_email: 'fishhook-bot@example.com' }),
    );
  });

  test('names its channels, which have other names, or are hidden from its owner', async () => {
    const { iris, dan, robo } = network;
    await iris.call(subscribe, { subscriptions: [{ name: 'dock' }], principals: [iris.userId, dan.userId] });
    await makeReady(network, followers, () =>
      dan.call(updateBot, { bot_id: robo.userId, default_sending_stream: 'dock' }),
    );
    const { stream_id } = await dan.call(findChannel, { stream: 'dock' });
    await expectReplayed(['stream/update:name'], () => iris.call(updateChannel, { stream_id, new_name: 'pier' }));
    await iris.call(updateChannel, { stream_id, is_private: true });
    followers = (await followEveryone(network)).filter(({ name }) => name === 'dan, new client');
    await expectReplayed(['stream/delete'], () =>
      iris.call(unsubscribe, { subscriptions: ['pier'], principals: [dan.userId] }),
    );
    await dan.call(updateBot, { bot_id: robo.userId, default_sending_stream: '' });
    followers = await followEveryone(network);
  });

  test('has another key, and is out of use, and in use again', async () => {
    const { iris } = network;
    await expectReplayed([], () => iris.call(regenerateBotApiKey, { bot_id: botId }));
    await expectReplayed(['realm_bot/update:is_active'], () => iris.call(deactivateBot, { bot_id: botId }));
    await expectReplayed(['realm_bot/update:is_active'], () => iris.call(reactivateUser, { user_id: botId }));
  });

  test('changes its owner, and back', async () => {
    const { iris, dan, robo } = network;
    await expectReplayed(['realm_user/update:bot_owner_id', 'realm_bot/update:owner_id', 'realm_bot/delete'], () =>
      iris.call(updateBot, { bot_id: robo.userId, bot_owner_id: iris.userId }),
    );
    await expectReplayed(['realm_bot/add'], () =>
      iris.call(updateBot, { bot_id: robo.userId, bot_owner_id: dan.userId }),
    );
  });

  test('manages no bots, whatever its role', async () => {
    const { iris, robo } = network;
    const become = (role: number) => () => iris.call(updateUser, { user_id: robo.userId, role });
    await expectReplayed(['realm_user/update:role'], become(ROLES.administrator));
    await expectReplayed(['realm_bot/update:full_name'], () =>
      iris.call(updateBot, { bot_id: botId, full_name: 'Brook' }),
    );
    expect((await robo.call(registerQueue, { fetch_event_types: ['realm_bot'] })).realm_bots).toEqual([]);
    await expectReplayed(['realm_user/update:role'], become(ROLES.member));
  });
});

describe('to restricted guests', () => {
  test('nothing is left of the queues from before', async () => {
    const { iris, faye } = network;
    const { realm_user_groups: groups } = await iris.call(registerQueue, { fetch_event_types: ['realm_user_groups'] });
    const members = groups?.find(({ name }) => name === 'role:members')?.id as number;
    await expectFreshEqualsReplayed(
      network,
      followers,
      ['realm/update_dict:can_access_all_users_group'],
      () => iris.call(updateRealm, { can_access_all_users_group: { new: members } }),
      { endsQueuesOf: ['faye'] },
    );
    const { subscriptions } = await faye.call(listSubscriptions, {});
    await faye.call(unsubscribe, { subscriptions: subscriptions.map(({ name }) => name) });
    await network.eve.call(updateOwnStatus, { status_text: 'In a meeting' });
    const { id } = await iris.call(createProfileField, { name: 'Team', field_type: 1 });
    await network.eve.call(setProfileValues, { data: [{ id, value: '*Night* shift' }] });
    followers = await followEveryone(network, {}, messagesReceived);
  });

  test('people appear, with their status and profile, whom they meet in a channel, and vanish with it', async () => {
    const { iris, eve, faye } = network;
    const principals = [iris.userId, eve.userId, faye.userId];
    await expectReplayed(['realm_user/add', 'user_status', 'stream/create', 'subscription/add'], () =>
      iris.call(subscribe, { subscriptions: [{ name: 'meeting' }], principals }),
    );
    const [eveShown] = followers
      .filter(({ name }) => name.startsWith('faye'))
      .flatMap(({ state }) => state['realm_users'] as { user_id: number; profile_data: object }[])
      .filter(({ user_id: id }) => id === eve.userId);
    expect(Object.values(eveShown?.profile_data ?? {})).toMatchObject([{ value: '*Night* shift' }]);
    await makeReady(network, followers, () =>
      eve.call(sendMessage, { type: 'channel', to: 'meeting', topic: 'lunch', content: 'Hello' }),
    );
    await iris.call(subscribe, { subscriptions: [{ name: 'meeting' }], principals: [gil.userId] });
    await expectReplayed(['realm_user/remove'], () => iris.call(deactivateUser, { user_id: gil.userId }));
    await expectReplayed(['realm_user/add'], () => iris.call(reactivateUser, { user_id: gil.userId }));
    await expectReplayed(['realm_user/remove'], () =>
      iris.call(unsubscribe, { subscriptions: ['meeting'], principals: [eve.userId] }),
    );
    await expectReplayed(['realm_user/remove', 'stream/delete'], () =>
      faye.call(unsubscribe, { subscriptions: ['meeting'] }),
    );
  });

  test('new people are unknown', async () => {
    const account = { email: 'ida@example.com', full_name: 'Ida', password: 'correct horse battery' };
    await expectReplayed(['realm_user/add'], () => network.iris.call(addUser, account));
  });
});
