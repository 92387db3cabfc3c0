import {
  addDefaultChannel,
  archiveChannel,
  changeDefaultChannelGroupChannels,
  createChannel,
  createChannelFolder,
  createDefaultChannelGroup,
  deleteMessage,
  listChannels,
  registerQueue,
  removeDefaultChannel,
  removeDefaultChannelGroup,
  reorderChannelFolders,
  sendMessage,
  subscribe,
  unsubscribe,
  updateChannel,
  updateChannelFolder,
  updateDefaultChannelGroup,
  updateRealm,
  updateSubscriptionProperties,
} from '@parley/gateway/endpoints';
import { newCall } from '@parley/shared/rpc';
import { TestNetwork } from '../../src';
import { expectFreshEqualsReplayed, type Followers, followEveryone } from './harness';

let network: TestNetwork;
let followers: Followers;

beforeAll(async () => {
  network = await TestNetwork.create({ settings: { WEB_PUBLIC_STREAMS_ENABLED: 'true' } });
  await network.iris.call(updateRealm, { enable_spectator_access: true });
  followers = await followEveryone(network);
});
afterAll(() => network.stop());

function expectReplayed(produced: readonly string[], action: () => Promise<unknown>) {
  return expectFreshEqualsReplayed(network, followers, produced, action);
}

async function idOf(name: string): Promise<number> {
  const { streams } = await network.iris.call(listChannels, { include_all: true, exclude_archived: false });
  return streams.find((channel) => channel.name === name)?.stream_id as number;
}

describe('a public channel', () => {
  test('is made, and people are subscribed to it', async () => {
    const { dan, eve } = network;
    await expectReplayed(['stream/create', 'subscription/add', 'subscription/peer_add'], () =>
      dan.call(subscribe, { subscriptions: [{ name: 'books' }], principals: [dan.userId, eve.userId] }),
    );
  });

  test('has one more subscriber, and one less', async () => {
    const { iris, eve } = network;
    await expectReplayed(['subscription/add', 'subscription/peer_add'], () =>
      iris.call(subscribe, { subscriptions: [{ name: 'books' }] }),
    );
    await expectReplayed(['subscription/remove', 'subscription/peer_remove'], () =>
      eve.call(unsubscribe, { subscriptions: ['books'] }),
    );
  });

  test('appears for guests who are subscribed, and vanishes for them', async () => {
    const { dan, faye } = network;
    await expectReplayed(['stream/create', 'subscription/add', 'subscription/peer_add'], () =>
      dan.call(subscribe, { subscriptions: [{ name: 'books' }], principals: [faye.userId] }),
    );
    await expectReplayed(['subscription/remove', 'stream/delete', 'subscription/peer_remove'], () =>
      faye.call(unsubscribe, { subscriptions: ['books'] }),
    );
  });

  test('is for some of many users subscribed at once', async () => {
    const { iris, dan, robo } = network;
    const subscriptions = [{ name: 'one' }, { name: 'two' }, { name: 'books' }];
    await expectReplayed(['stream/create', 'subscription/add', 'subscription/peer_add'], () =>
      iris.call(subscribe, { subscriptions, principals: [iris.userId, dan.userId, robo.userId] }),
    );
    await expectReplayed(['subscription/remove', 'subscription/peer_remove'], () =>
      iris.call(unsubscribe, { subscriptions: ['one', 'two'], principals: [dan.userId, robo.userId] }),
    );
  });
});

describe('a private channel', () => {
  test('is made without its maker', async () => {
    const { dan, eve, robo } = network;
    const subscribers = [eve.userId, robo.userId];
    await expectReplayed(['stream/create', 'subscription/add'], () =>
      dan.call(createChannel, { name: 'secret', description: '*hush*', subscribers, invite_only: true }),
    );
  });

  test('appears for new subscribers, and vanishes for former ones', async () => {
    const { iris, eve, dan, faye } = network;
    await eve.call(sendMessage, { type: 'channel', to: 'secret', topic: 'history', content: 'Before' });
    const principals = [dan.userId, faye.userId];
    await expectReplayed(['stream/create', 'subscription/add', 'subscription/peer_add'], () =>
      eve.call(subscribe, { subscriptions: [{ name: 'secret' }], principals, invite_only: true }),
    );
    await expectReplayed(['subscription/remove', 'stream/delete', 'subscription/peer_remove'], () =>
      iris.call(unsubscribe, { subscriptions: ['secret'], principals }),
    );
  });

  test('appears for new channel administrators, and vanishes for former ones', async () => {
    const { iris, dan, eve } = network;
    const stream_id = await idOf('secret');
    const isFor = (userId: number) => ({
      ...{ stream_id, can_administer_channel_group: { new: { direct_members: [userId], direct_subgroups: [] } } },
    });
    await expectReplayed(['stream/delete'], () => iris.call(updateChannel, isFor(eve.userId)));
    await expectReplayed(['stream/create', 'subscription/peer_add'], () => iris.call(updateChannel, isFor(dan.userId)));
    await expectReplayed(['stream/delete', 'stream/update:can_administer_channel_group'], () =>
      iris.call(updateChannel, isFor(eve.userId)),
    );
  });
});

describe('a channel', () => {
  // Each call is about what no other call of its group changes: one comparison shows the events of all.
  test.each([
    [
      ['stream/update:name', { new_name: 'novels' }],
      ['stream/update:description', { description: 'What *we* read' }],
      ['stream/update:message_retention_days', { message_retention_days: '30' }],
      ['stream/update:topics_policy', { topics_policy: 'disable_empty_topic' as const }],
      ['stream/update:stream_post_policy', { stream_post_policy: 4 }],
    ],
    [
      ['stream/update:message_retention_days', { message_retention_days: 'unlimited' }],
      ['stream/update:is_announcement_only', { is_announcement_only: true }],
    ],
    [
      ['stream/update:message_retention_days', { message_retention_days: 'realm_default' }],
      ['stream/update:can_send_message_group', { is_announcement_only: false }],
    ],
  ] as [string, object][][])('has another %j', async (...updates) => {
    const stream_id = (await idOf('books')) ?? (await idOf('novels'));
    const produced = updates.map(([name]) => name);
    await expectReplayed(produced, async () => {
      for (const [, changes] of updates) await network.iris.call(updateChannel, { stream_id, ...changes });
    });
  });

  test('gives each of its permissions to others', async () => {
    const settings = [
      'can_add_subscribers_group',
      'can_administer_channel_group',
      'can_create_topic_group',
      'can_delete_any_message_group',
      'can_delete_own_message_group',
      'can_move_messages_out_of_channel_group',
      'can_move_messages_within_channel_group',
      'can_remove_subscribers_group',
      'can_resolve_topics_group',
      'can_send_message_group',
      'can_subscribe_group',
    ];
    const stream_id = await idOf('novels');
    const value = { new: { direct_members: [network.dan.userId, network.eve.userId], direct_subgroups: [] } };
    const produced = settings.map((setting) => `stream/update:${setting}`);
    await expectReplayed(produced, async () => {
      for (const setting of settings) await network.iris.call(updateChannel, { stream_id, [setting]: value });
    });
  });

  test('becomes private, web-public and public again', async () => {
    const { iris } = network;
    const stream_id = await idOf('general');
    await iris.call(removeDefaultChannel, { stream_id });
    followers = await followEveryone(network);
    await expectReplayed(['stream/update:invite_only', 'stream/delete'], () =>
      iris.call(updateChannel, { stream_id, is_private: true }),
    );
    await expectReplayed(['stream/update:invite_only', 'stream/create'], () =>
      iris.call(updateChannel, { stream_id, is_private: false, is_web_public: true }),
    );
    await expectReplayed(['stream/update:invite_only'], () =>
      iris.call(updateChannel, { stream_id, is_private: false, is_web_public: false }),
    );
  });

  test('protects its history, and shares it', async () => {
    const { iris, eve } = network;
    const stream_id = await idOf('secret');
    await eve.call(subscribe, { subscriptions: [{ name: 'secret' }], principals: [iris.userId], invite_only: true });
    followers = await followEveryone(network);
    for (const history_public_to_subscribers of [true, false]) {
      await expectReplayed(['stream/update:invite_only'], () =>
        network.iris.call(updateChannel, { stream_id, is_private: true, history_public_to_subscribers }),
      );
    }
  });

  test('opens to all who did not know of it', async () => {
    const stream_id = await idOf('secret');
    await expectReplayed(['stream/create', 'stream/update:invite_only'], () =>
      network.iris.call(updateChannel, { stream_id, is_private: false }),
    );
  });

  test('is quiet after a long time without messages, and active again after one', async () => {
    const { iris, dan } = network;
    const channelIds = [await idOf('novels'), await idOf('secret')];
    const realmId = 1;
    await expectReplayed(['stream/update:is_recently_active'], () =>
      network.realmService.setQuietChannels(newCall(), { realmId, channelIds, isQuiet: true }),
    );
    const { streams } = await iris.call(listChannels, { include_all: true });
    const quiet = streams.filter(({ is_recently_active: isActive }) => !isActive);
    expect(quiet.map(({ stream_id: id }) => id).sort()).toEqual(channelIds.sort());
    await expectReplayed(['message', 'stream/update:is_recently_active'], () =>
      dan.call(sendMessage, { type: 'channel', to: 'secret', topic: 'again', content: 'Anybody here?' }),
    );
  });

  test('is archived, and in use again', async () => {
    const { iris } = network;
    const stream_id = await idOf('novels');
    await iris.call(addDefaultChannel, { stream_id });
    followers = await followEveryone(network);
    const produced = ['stream/update:is_archived', 'stream/delete', 'default_streams'];
    await expectReplayed(produced, () => iris.call(archiveChannel, { stream_id }));
    await expectReplayed(['stream/update:name', 'subscription/peer_remove'], async () => {
      await iris.call(updateChannel, { stream_id, new_name: 'tales' });
      await iris.call(unsubscribe, { subscriptions: ['tales'], principals: [network.dan.userId] });
    });
    await expectReplayed(['stream/update:is_archived', 'stream/create'], () =>
      iris.call(updateChannel, { stream_id, is_archived: false }),
    );
  });

  test('begins with another message', async () => {
    const { dan, iris } = network;
    const sent = { type: 'channel' as const, to: 'two', topic: 'beginnings' };
    await iris.call(subscribe, { subscriptions: [{ name: 'two' }], principals: [dan.userId] });
    const { id } = await dan.call(sendMessage, { ...sent, content: 'First' });
    await dan.call(sendMessage, { ...sent, content: 'Second' });
    followers = await followEveryone(network);
    await expectReplayed(['stream/update:first_message_id', 'delete_message'], () =>
      iris.call(deleteMessage, { message_id: id }),
    );
  });
});

test.each([
  [
    ['color', '#112233'],
    ['is_muted', true],
    ['pin_to_top', true],
    ['desktop_notifications', true],
    ['audible_notifications', false],
    ['push_notifications', true],
    ['email_notifications', false],
    ['wildcard_mentions_notify', true],
  ],
  [['in_home_view', true]],
] as const)('a subscription has other properties: %j', async (...properties) => {
  const stream_id = await idOf('general');
  const produced = properties.map(([property]) => `subscription/update:${property}`);
  await expectReplayed(produced, async () => {
    for (const [property, value] of properties) {
      await network.eve.call(updateSubscriptionProperties, { subscription_data: [{ stream_id, property, value }] });
    }
  });
});

describe('channel folders', () => {
  let folders: number[];

  test('are created, renamed and get another description', async () => {
    const { iris } = network;
    await expectReplayed(['channel_folder/add'], async () => {
      const first = await iris.call(createChannelFolder, { name: 'Work' });
      const second = await iris.call(createChannelFolder, { name: 'Play', description: '**Games**' });
      folders = [first.channel_folder_id, second.channel_folder_id];
    });
    const [channel_folder_id] = folders as [number, number];
    await expectReplayed(['channel_folder/update:name', 'channel_folder/update:rendered_description'], () =>
      iris.call(updateChannelFolder, { channel_folder_id, name: 'Toil', description: '*Sweat*' }),
    );
  });

  test('hold channels', async () => {
    const stream_id = await idOf('two');
    for (const folder_id of [folders[0] as number, null]) {
      await expectReplayed(['stream/update:folder_id'], () =>
        network.iris.call(updateChannel, { stream_id, folder_id }),
      );
    }
  });

  test('are put into another order, and archived', async () => {
    const { iris } = network;
    const [first, second] = folders as [number, number];
    await expectReplayed(['channel_folder/reorder'], () =>
      iris.call(reorderChannelFolders, { order: [second, first] }),
    );
    for (const is_archived of [true, false]) {
      await expectReplayed(['channel_folder/update:is_archived'], () =>
        iris.call(updateChannelFolder, { channel_folder_id: first, is_archived }),
      );
    }
  });
});

test('channels become default channels, and ordinary ones again', async () => {
  const { iris } = network;
  const stream_id = await idOf('two');
  await expectReplayed(['default_streams'], () => iris.call(addDefaultChannel, { stream_id }));
  await expectReplayed(['default_streams'], () => iris.call(removeDefaultChannel, { stream_id }));
});

test('default channel groups are created, changed and deleted', async () => {
  const { iris } = network;
  const group_id = await createdGroupId();
  await expectReplayed(['default_stream_groups'], () =>
    iris.call(updateDefaultChannelGroup, { group_id, new_group_name: 'Fun', new_description: 'Games' }),
  );
  await expectReplayed(['default_stream_groups'], () =>
    iris.call(changeDefaultChannelGroupChannels, { group_id, op: 'add', stream_names: ['two'] }),
  );
  await expectReplayed(['default_stream_groups'], () => iris.call(removeDefaultChannelGroup, { group_id }));
});

async function createdGroupId(): Promise<number> {
  const settings = { group_name: 'Leisure', description: '', stream_names: ['one'] };
  await expectReplayed(['default_stream_groups'], () => network.iris.call(createDefaultChannelGroup, settings));
  const { realm_default_stream_groups: groups } = await network.iris.call(registerQueue, {
    fetch_event_types: ['default_stream_groups'],
  });
  return groups?.[0]?.id as number;
}
