import { CHANNEL_PERMISSION_SETTINGS } from '@parley/shared/access';
import { CannotAdministerChannelError, ChannelAlreadyExistsError } from '@parley/shared/errors';
import type { Channel } from '@parley/shared/proto';
import { publicChannel } from '@parley/shared/wire';
import {
  archiveChannel,
  changeDefaultChannelGroupChannels,
  createChannel,
  createDefaultChannelGroup,
  findChannel,
  getChannel,
  getChannelEmailAddress,
  getChannelMembers,
  listChannels,
  registerQueue,
  removeDefaultChannelGroup,
  updateChannel,
  updateDefaultChannelGroup,
} from '../../src/endpoints';
import { eg } from '../eg';
import { channelObjects } from '../events/state-in-parts';
import { formBody, startGateway, type TestGateway } from '../gateway';

const SUCCESS = { result: 'success', msg: '' };

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startGateway();
  const nothing = async () => ({});
  Object.assign(gateway.realm.answers, {
    createChannel: async () => ({ channelId: 7 }),
    updateChannel: nothing,
    archiveChannel: nothing,
    createDefaultChannelGroup: async () => ({ id: 3 }),
    updateDefaultChannelGroup: nothing,
    changeDefaultChannelGroupChannels: nothing,
    removeDefaultChannelGroup: nothing,
  });
});
afterEach(() => gateway.stop());

const send = (method: string, path: string, form: Record<string, string> = {}) =>
  gateway.request({ method, path: `/api/v1${path}`, ...formBody(form) });
const asked = (method: string) => gateway.realm.last(method);

const ONE_CHANNEL = {
  stream_id: 7,
  name: 'social',
  description: 'Chat',
  rendered_description: '<p>Chat</p>',
  date_created: 1_700_000_001,
  creator_id: 11,
  invite_only: true,
  is_web_public: false,
  is_archived: false,
  history_public_to_subscribers: true,
  message_retention_days: -1,
  topics_policy: 'inherit',
  folder_id: 5,
  subscriber_count: 2,
  stream_weekly_traffic: null,
  first_message_id: 501,
  is_recently_active: true,
  stream_post_policy: 2,
  is_announcement_only: true,
  ...Object.fromEntries(Object.keys(CHANNEL_PERMISSION_SETTINGS).map((name) => [name, 40])),
  can_subscribe_group: { direct_members: [11], direct_subgroups: [42] },
};
const oneChannel = () =>
  eg.channel({
    creatorId: 11,
    isPrivate: true,
    messageRetentionDays: -1,
    folderId: 5,
    postPolicy: 2,
    groupSettings: {
      ...eg.channel().groupSettings,
      can_subscribe_group: { directMemberIds: [11], directSubgroupIds: [42] },
    },
  });
const activity = { channelId: 7, firstMessageId: 501, hasNamedTopics: true };

describe('GET /streams', () => {
  test('lists channels with their activity, and passes the filters on', async () => {
    const channels = [
      oneChannel(),
      eg.channel({ id: 8, isArchived: true }),
      eg.channel({ id: 9, isQuiet: true, name: '"},' }),
      eg.channel({ id: 10 }),
    ];
    gateway.realm.answers.getChannelObjects = async () => channelObjects(channels);
    gateway.realm.answers.listChannels = async () => ({
      channels: [9, 7, 8].map((channelId) => ({ channelId, isDefault: channelId === 8 })),
    });
    gateway.messages.answers.getChannelActivity = async () => ({ activities: [activity] });
    const { json } = await gateway.call(listChannels, {
      include_public: false,
      include_web_public: true,
      include_subscribed: false,
      exclude_archived: false,
      include_all: true,
      include_default: true,
      include_owner_subscribed: true,
      include_can_access_content: true,
    });
    expect(gateway.messages.last('getChannelActivity')).toEqual({
      channelIds: [7, 8, 9, 10],
      onlyFirstMessages: true,
      knownVersion: '',
    });
    expect(asked('listChannels')).toEqual({
      includesPublic: false,
      includesWebPublic: true,
      includesSubscribed: false,
      includesOwnerSubscribed: true,
      includesReadable: true,
      includesAll: true,
      includesAllForAdministrators: false,
      excludesArchived: false,
    });
    const [, second, third] = channels as [Channel, Channel, Channel];
    expect(json.streams).toEqual([
      { ...publicChannel(third), is_recently_active: false, is_default: false },
      { ...ONE_CHANNEL, is_default: false },
      { ...publicChannel(second), is_recently_active: true, is_default: true },
    ]);
  });

  test('lists public and subscribed active channels, unless more is requested', async () => {
    gateway.realm.answers.getChannelObjects = async () => channelObjects([oneChannel()]);
    gateway.realm.answers.listChannels = async () => ({ channels: [{ channelId: 7, isDefault: true }] });
    const { json } = await send('GET', '/streams');
    expect(asked('listChannels')).toMatchObject({
      includesPublic: true,
      includesSubscribed: true,
      excludesArchived: true,
      includesWebPublic: false,
      includesOwnerSubscribed: false,
      includesReadable: false,
      includesAll: false,
    });
    expect(json.streams[0]).not.toHaveProperty('is_default');
  });
});

test('a channel, its id, its members and its address are found', async () => {
  gateway.realm.answers.getChannel = async () => oneChannel();
  gateway.realm.answers.findChannel = async () => ({ channelId: 7 });
  gateway.realm.answers.getChannelMembers = async () => ({ userIds: [11, 12] });
  gateway.realm.answers.getChannelEmailAddress = async () => ({ email: '' });
  gateway.messages.answers.getChannelActivity = async () => ({ activities: [activity] });
  expect((await gateway.call(getChannel, { stream_id: 7 })).json).toEqual({ ...SUCCESS, stream: ONE_CHANNEL });
  expect((await gateway.call(findChannel, { stream: 'social' })).json).toEqual({ ...SUCCESS, stream_id: 7 });
  expect(asked('findChannel')).toEqual({ name: 'social' });
  const members = await gateway.call(getChannelMembers, { stream_id: 7 });
  expect(members.json).toEqual({ ...SUCCESS, subscribers: [11, 12] });
  const address = await gateway.call(getChannelEmailAddress, { stream_id: 7, sender_id: 12 });
  expect(address.json).toEqual({ ...SUCCESS, email: '' });
  expect(asked('getChannelEmailAddress')).toEqual({ channelId: 7, senderId: 12 });
  await send('GET', '/streams/7/email_address');
  expect(asked('getChannelEmailAddress')).toEqual({ channelId: 7 });
});

describe('POST /channels/create', () => {
  test('passes all parameters on', async () => {
    const answer = await gateway.call(createChannel, {
      name: 'plans',
      description: 'Where we plan',
      subscribers: [11, 12],
      announce: true,
      invite_only: true,
      is_default_stream: true,
      history_public_to_subscribers: true,
      message_retention_days: 'unlimited',
      topics_policy: 'disable_empty_topic',
      folder_id: 5,
      can_subscribe_group: { direct_members: [11], direct_subgroups: [42] },
      can_create_topic_group: 41,
    });
    expect(answer.json).toEqual({ ...SUCCESS, id: 7 });
    expect(asked('createChannel')).toEqual({
      name: 'plans',
      description: 'Where we plan',
      subscriberIds: [11, 12],
      settings: {
        isPrivate: true,
        isWebPublic: false,
        isHistoryPublic: true,
        isDefault: true,
        topicsPolicy: 'disable_empty_topic',
        messageRetention: 'unlimited',
        folderId: 5,
        isAnnounced: true,
        groupSettings: {
          can_subscribe_group: { directMemberIds: [11], directSubgroupIds: [42] },
          can_create_topic_group: eg.groupSetting(41),
        },
      },
    });
  });

  test('refuses a name that is taken with its own status', async () => {
    gateway.realm.answers.createChannel = async () => {
      throw new ChannelAlreadyExistsError('plans');
    };
    const answer = await gateway.call(createChannel, { name: 'plans', subscribers: [] });
    expect(answer.status).toBe(409);
    expect(answer.json).toMatchObject({ code: 'CHANNEL_ALREADY_EXISTS', msg: "Channel 'plans' already exists" });
    expect((await send('POST', '/channels/create', { name: 'x' })).json).toMatchObject({
      code: 'REQUEST_VARIABLE_MISSING',
      var_name: 'subscribers',
    });
  });
});

describe('PATCH /streams/{stream_id}', () => {
  test('passes only the given parameters on', async () => {
    const answer = await gateway.call(updateChannel, {
      stream_id: 7,
      description: '',
      new_name: 'plans',
      is_private: true,
      is_web_public: false,
      history_public_to_subscribers: false,
      is_default_stream: false,
      message_retention_days: '30',
      is_archived: false,
      folder_id: null,
      can_send_message_group: { new: 41, old: { direct_members: [], direct_subgroups: [40] } },
    });
    expect(answer.json).toEqual(SUCCESS);
    expect(asked('updateChannel')).toEqual({
      channelId: 7,
      description: '',
      newName: 'plans',
      isPrivate: true,
      isWebPublic: false,
      isHistoryPublic: false,
      isDefault: false,
      messageRetention: '30',
      isArchived: false,
      folderId: 0,
      groupSettings: {
        can_send_message_group: { new: eg.groupSetting(41), old: { directMemberIds: [], directSubgroupIds: [40] } },
      },
      hasNamedTopics: false,
    });
    await send('PATCH', '/streams/7', { folder_id: '5' });
    expect(asked('updateChannel')).toEqual({ channelId: 7, folderId: 5, groupSettings: {}, hasNamedTopics: false });
  });

  test('asks for topics only where there are to be none; the policy may come as JSON or as it is', async () => {
    gateway.messages.answers.getChannelActivity = async () => ({ activities: [activity] });
    await send('PATCH', '/streams/7', { topics_policy: 'inherit' });
    expect(gateway.messages.seen).toEqual([]);
    for (const policy of ['empty_topic_only', '"empty_topic_only"']) {
      await send('PATCH', '/streams/7', { topics_policy: policy });
      expect(asked('updateChannel')).toMatchObject({ topicsPolicy: 'empty_topic_only', hasNamedTopics: true });
    }
    expect((await send('PATCH', '/streams/7', { topics_policy: 'x' })).json.code).toBe('BAD_REQUEST');
  });

  test.each([
    [{ stream_post_policy: '4' }, 4],
    [{ is_announcement_only: 'true' }, 2],
    [{ is_announcement_only: 'false' }, 1],
  ])('knows the old ways to say who may post: %p', async (form, postPolicy) => {
    await send('PATCH', '/streams/7', form as Record<string, string>);
    expect(asked('updateChannel')).toMatchObject({ postPolicy });
  });

  test('keeps the codes of refusals', async () => {
    gateway.realm.answers.updateChannel = async () => {
      throw new CannotAdministerChannelError();
    };
    const answer = await send('PATCH', '/streams/7', { new_name: 'x' });
    expect(answer.json).toMatchObject({
      code: 'CANNOT_ADMINISTER_CHANNEL',
      msg: 'You do not have permission to administer this channel.',
    });
  });
});

test('DELETE /streams/{stream_id} archives', async () => {
  expect((await gateway.call(archiveChannel, { stream_id: 7 })).json).toEqual(SUCCESS);
  expect(asked('archiveChannel')).toEqual({ channelId: 7 });
});

test('sets of default channels are created, changed and deleted', async () => {
  await gateway.call(createDefaultChannelGroup, { group_name: 'New', description: 'x', stream_names: ['a'] });
  expect(asked('createDefaultChannelGroup')).toEqual({ name: 'New', description: 'x', channelNames: ['a'] });
  await gateway.call(updateDefaultChannelGroup, { group_id: 3, new_description: '' });
  expect(asked('updateDefaultChannelGroup')).toEqual({ id: 3, description: '' });
  await gateway.call(updateDefaultChannelGroup, { group_id: 3, new_group_name: 'Old' });
  expect(asked('updateDefaultChannelGroup')).toEqual({ id: 3, name: 'Old' });
  for (const op of ['add', 'remove']) {
    await gateway.call(changeDefaultChannelGroupChannels, { group_id: 3, op, stream_names: ['b'] });
    expect(asked('changeDefaultChannelGroupChannels')).toEqual({ id: 3, areAdded: op === 'add', channelNames: ['b'] });
  }
  const wrong = await gateway.call(changeDefaultChannelGroupChannels, { group_id: 3, op: 'x', stream_names: [] });
  expect(wrong.json.msg).toBe('Invalid value for "op". Specify one of "add" or "remove".');
  expect((await gateway.call(removeDefaultChannelGroup, { group_id: 3 })).json).toEqual(SUCCESS);
  expect(asked('removeDefaultChannelGroup')).toEqual({ id: 3 });
});

describe('POST /register', () => {
  test('has the activity of channels, and the sets of default channels', async () => {
    const group = { id: 3, name: 'New', description: 'x', channelIds: [7] };
    gateway.realm.answers.getRegisterState = async () =>
      eg.registerState({ subscriptions: [], neverSubscribed: [oneChannel()], defaultChannelGroups: [group] });
    gateway.messages.answers.getChannelActivity = async () => ({ activities: [activity] });
    const { json } = await gateway.call(registerQueue, { fetch_event_types: ['stream', 'default_stream_groups'] });
    expect(json.streams).toEqual([ONE_CHANNEL]);
    expect(json.realm_default_stream_groups).toEqual([{ id: 3, name: 'New', description: 'x', streams: [7] }]);
  });

  test('does not load activity where no channel is listed', async () => {
    await gateway.call(registerQueue, { fetch_event_types: ['default_streams'] });
    expect(gateway.messages.seen.map(({ method }) => method)).toEqual(['getClientState']);
  });
});
