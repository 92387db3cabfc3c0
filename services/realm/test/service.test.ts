import { createHash } from 'node:crypto';
import { connectBus, type LogRecord } from '@parley/shared/bus';
import { newCall } from '@parley/shared/rpc';
import { silentLogger } from '@parley/shared/service';
import { testServers } from '@parley/shared/testing';
import { serveRealm } from './serve-realm';

const { prefix, service, connection } = serveRealm();

test('an organization lives through every method of the service', async () => {
  const { client } = connection();
  const owner = await client.createRealm(newCall(), {
    name: 'Example',
    subdomain: 'example',
    ownerEmail: 'olivia@example.com',
    ownerName: 'Olivia',
    ownerPassword: 'correct horse',
  });
  const wanted = { subdomain: 'example', email: 'iago@example.com', fullName: 'Iago', role: 400 };
  const member = await client.createUser(newCall(), wanted);
  const apiKeyHash = createHash('sha256').update(member.apiKey).digest();
  const { results } = await client.authenticate(newCall(), {
    credentials: [{ subdomain: 'example', email: 'IAGO@example.com', apiKeyHash }],
  });
  expect(results).toEqual([
    {
      outcome: 'ok',
      apiKeyId: expect.any(Number),
      realmId: owner.realmId,
      userId: member.userId,
      role: 400,
      isBot: false,
    },
  ]);

  const caller = { ...newCall(), realmId: owner.realmId, userId: member.userId };
  expect(await client.getOwnUser(caller, {})).toMatchObject({ fullName: 'Iago' });
  expect((await client.getUsers(caller, { userIds: [owner.userId] })).users).toMatchObject([{ fullName: 'Olivia' }]);
  expect(await client.getRealm(newCall(), { subdomain: 'example' })).toMatchObject({ id: owner.realmId });
  const { subscribed } = await client.subscribe(caller, {
    channels: [{ name: 'news', description: '', color: '' }],
    principalIds: [member.userId, owner.userId],
    principalEmails: [],
    areAuthorizationErrorsFatal: true,
    newChannel: null,
    sendsNotices: false,
  });
  expect(subscribed.map(({ userId }) => userId)).toEqual([owner.userId, member.userId]);

  const { facts } = await client.getSendFacts(newCall(), {
    queries: [
      {
        realmId: owner.realmId,
        senderId: member.userId,
        channelName: 'news',
        recipientIds: [],
        recipientEmails: [],
        mentionedNames: ['olivia'],
        mentionedGroupNames: ['role:owners'],
        linkedChannelNames: ['general'],
        emojiNames: [],
      },
    ],
  });
  const channelId = facts[0]?.channel?.channel?.id as number;
  expect(facts[0]?.mentionedGroups).toMatchObject([{ memberIds: [owner.userId] }]);
  expect((await client.getReadFacts(caller, {})).channels.map(({ name }) => name)).toContain('news');
  expect((await client.getRegisterState(caller, { includesSubscribers: false })).subscriptions).toHaveLength(4);
  expect(await client.getSubscribers(newCall(), { realmId: owner.realmId, channelId })).toMatchObject({
    version: 1,
    subscribers: [{ userId: owner.userId }, { userId: member.userId }],
  });
});

test('the settings of a group travel as they are', async () => {
  const owner = await connection().client.createRealm(newCall(), {
    name: 'Groups',
    subdomain: 'groups',
    ownerEmail: 'olivia@example.com',
    ownerName: 'Olivia',
  });
  const caller = { ...newCall(), realmId: owner.realmId, userId: owner.userId };
  const nobody = { directMemberIds: [], directSubgroupIds: [] };
  const owners = { directMemberIds: [owner.userId], directSubgroupIds: [] };
  const request = { name: 'friends', description: '', memberIds: [], subgroupIds: [] };
  const settings = { can_join_group: nobody, can_leave_group: owners };
  const { groupId } = await connection().client.createGroup(caller, { ...request, settings });
  const change = { new: nobody, old: owners };
  await connection().client.updateGroup(caller, { groupId, settings: { can_leave_group: change } });
  const { groups } = await connection().client.listGroups(caller, { includesDeactivated: false });
  const nobodyId = groups.find(({ name }) => name === 'role:nobody')?.id;
  expect(groups.find(({ id }) => id === groupId)?.settings).toMatchObject({
    can_join_group: { groupId: nobodyId },
    can_leave_group: { groupId: nobodyId },
    can_manage_group: owners,
  });
  expect(groups.find(({ id }) => id === groupId)?.settings['can_manage_group']).not.toHaveProperty('groupId');
});

test('a refusal keeps its name across the network', async () => {
  await expect(connection().client.getRealm(newCall(), { subdomain: 'nowhere' })).rejects.toMatchObject({
    name: 'NonexistentSubdomainError',
    httpStatus: 404,
  });
});

test('a change of subscribers reaches the event log', async () => {
  const { userId, realmId } = await connection().client.createRealm(newCall(), {
    name: 'Other',
    subdomain: 'other',
    ownerEmail: 'olivia@example.com',
    ownerName: 'Olivia',
  });
  await service.relay.drain();
  const bus = await connectBus({ url: testServers().natsUrl, prefix, name: 'test', log: silentLogger });
  const query = { last_by_subj: bus.subject(realmId, 'subscription.changed') };
  const record = (await bus.jsm.streams.getMessage(bus.stream, query)).json<LogRecord>();
  expect(record).toMatchObject({ service: 'realm', realmId });
  expect(record.payloads).toMatchObject([
    { version: 1, subscribedIds: [userId] },
    { version: 1, subscribedIds: [userId] },
    { version: 1, subscribedIds: [userId] },
  ]);
  await bus.close();
});
