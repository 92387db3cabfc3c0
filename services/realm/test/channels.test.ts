import { newCall } from '@parley/shared/rpc';
import { serveRealm } from './serve-realm';

const { connection } = serveRealm();

test('channels cross the network as they are', async () => {
  const { client } = connection();
  const owner = await client.createRealm(newCall(), {
    name: 'Example',
    subdomain: 'example',
    ownerEmail: 'olivia@example.com',
    ownerName: 'Olivia',
  });
  const caller = { ...newCall(), realmId: owner.realmId, userId: owner.userId };
  const onlyOwner = { directMemberIds: [owner.userId], directSubgroupIds: [] };
  const { channelId } = await client.createChannel(caller, {
    name: 'plans',
    description: '',
    subscriberIds: [owner.userId],
    settings: {
      isPrivate: true,
      isWebPublic: false,
      isDefault: false,
      topicsPolicy: '',
      messageRetention: '30',
      groupSettings: { can_subscribe_group: onlyOwner },
      isAnnounced: false,
    },
  });
  const channel = await client.getChannel(caller, { channelId });
  expect(channel).toMatchObject({ isPrivate: true, isHistoryPublic: false, messageRetentionDays: 30, postPolicy: 1 });
  expect(channel.groupSettings).toMatchObject({
    can_subscribe_group: onlyOwner,
    can_send_message_group: { groupId: expect.any(Number) },
  });
  expect(channel.groupSettings['can_subscribe_group']).not.toHaveProperty('groupId');
  expect(channel).not.toHaveProperty('folderId');

  const change = { new: { directMemberIds: [], directSubgroupIds: [] }, old: onlyOwner };
  const request = {
    channelId,
    newName: 'ideas',
    groupSettings: { can_subscribe_group: change },
    hasNamedTopics: false,
  };
  await client.updateChannel(caller, request);
  await expect(client.updateChannel(caller, request)).rejects.toMatchObject({
    message: 'Channel already has that name.',
  });
  expect(await client.findChannel(caller, { name: 'ideas' })).toEqual({ channelId });
  expect(await client.getChannelMembers(caller, { channelId })).toEqual({ userIds: [owner.userId] });
  expect(await client.getChannelEmailAddress(caller, { channelId })).toEqual({ email: '' });
  await client.archiveChannel(caller, { channelId });
  const { channels } = await client.listChannels(caller, {
    includesPublic: false,
    includesWebPublic: false,
    includesSubscribed: true,
    includesOwnerSubscribed: false,
    includesReadable: false,
    includesAll: false,
    includesAllForAdministrators: false,
    excludesArchived: false,
  });
  expect(channels.map((listed) => [listed.channelId === channelId, listed.isDefault])).toEqual([
    [false, true],
    [true, false],
    [false, true],
    [false, true],
  ]);

  const { id } = await client.createDefaultChannelGroup(caller, { name: 'New', description: '', channelNames: [] });
  await client.updateDefaultChannelGroup(caller, { id, description: 'here' });
  await client.changeDefaultChannelGroupChannels(caller, { id, areAdded: true, channelNames: [] });
  const { defaultChannelGroups } = await client.getRegisterState(caller, { includesSubscribers: false });
  expect(defaultChannelGroups).toEqual([{ id, name: 'New', description: 'here', channelIds: [] }]);
  await client.removeDefaultChannelGroup(caller, { id });
});
