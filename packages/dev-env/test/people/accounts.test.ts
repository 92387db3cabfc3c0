import {
  deactivateBot,
  deactivateRealm,
  deactivateUser,
  deleteQueue,
  getBotApiKey,
  getOwnUser,
  getUser,
  listUsers,
  reactivateUser,
  regenerateBotApiKey,
  sendMessage,
  updateBot,
  updateUser,
} from '@parley/gateway/endpoints';
import { newCall } from '@parley/shared/rpc';
import { TestNetwork } from '../../src';

let network: TestNetwork;
beforeAll(async () => {
  network = await TestNetwork.create();
});
afterAll(() => network.stop());

async function reactivateBoth(): Promise<void> {
  const { iris, dan, robo } = network;
  for (const { userId } of [dan, robo]) await iris.call(reactivateUser, { user_id: userId });
  await iris.call(updateBot, { bot_id: robo.userId, bot_owner_id: dan.userId });
}

describe('deactivation', () => {
  test('suspends keys and ends queues at once, a waiting poll included, and those of the bots that the person owns', async () => {
    const { iris, dan, eve, robo } = network;
    const [queue, peers] = [await dan.events(), await eve.events({ event_types: ['realm_user'] })];
    await network.settle();
    const waiting = dan.callRaw({ method: 'GET', path: `/api/v1/events?queue_id=${queue.queueId}&last_event_id=-1` });
    await iris.call(deactivateUser, { user_id: dan.userId });
    const { status } = await waiting;
    expect([200, 401]).toContain(status);
    for (const person of [dan, robo]) {
      const answer = await person.callRaw({ method: 'GET', path: '/api/v1/users/me' });
      expect(answer).toMatchObject({ status: 401, json: { code: 'USER_DEACTIVATED' } });
    }
    expect(await peers.next('realm_user')).toMatchObject({
      op: 'update',
      person: { user_id: robo.userId, is_active: false },
    });
    expect(await peers.next('realm_user')).toMatchObject({
      op: 'update',
      person: { user_id: dan.userId, is_active: false },
    });
    expect((await eve.call(getUser, { user_id: dan.userId })).user.is_active).toBe(false);
    await reactivateBoth();
  });

  test('suspends keys: people and bots that are back go on with those that they had, on queues of their own', async () => {
    const { iris, dan, eve, robo } = network;
    const former = await dan.events();
    const { api_key: botKey } = await dan.call(getBotApiKey, { bot_id: robo.userId });
    await iris.call(deactivateUser, { user_id: dan.userId });
    await reactivateBoth();
    expect((await eve.call(getUser, { user_id: dan.userId })).user.is_active).toBe(true);
    await dan.expectError('BAD_EVENT_QUEUE_ID', deleteQueue, { queue_id: former.queueId });
    expect(await robo.call(getOwnUser, {})).toMatchObject({ user_id: robo.userId });
    const queue = await dan.events({ event_types: ['message'], fetch_event_types: [] });
    await dan.call(sendMessage, { type: 'channel', to: 'general', topic: 'back', content: 'here again' });
    expect(await queue.next('message')).toMatchObject({ message: { sender_id: dan.userId } });
    expect((await dan.call(getBotApiKey, { bot_id: robo.userId })).api_key).toBe(botKey);
  });

  test('of an organization suspends all keys, until it is opened again', async () => {
    const { iris, dan, robo } = network;
    await iris.call(deactivateRealm, {});
    const closed = await dan.callRaw({ method: 'GET', path: '/api/v1/users/me' });
    expect(closed).toMatchObject({ status: 401, json: { code: 'REALM_DEACTIVATED' } });
    await network.realmService.reactivateRealm(newCall(), { subdomain: '' });
    for (const client of [dan, robo])
      expect(await client.call(getOwnUser, {})).toMatchObject({ user_id: client.userId });
  });

  test('gives back no key that was ended before', async () => {
    const { iris, dan, robo } = network;
    await dan.call(regenerateBotApiKey, { bot_id: robo.userId });
    await iris.call(deactivateBot, { bot_id: robo.userId });
    await iris.call(reactivateUser, { user_id: robo.userId });
    const answer = await robo.callRaw({ method: 'GET', path: '/api/v1/users/me' });
    expect(answer).toMatchObject({ status: 401, json: { code: 'UNAUTHORIZED' } });
  });
});

test('a user who becomes a guest gets public channels only with a subscription, in queues of any kind', async () => {
  const { iris, eve } = network;
  const [wide, own] = [await eve.events({ all_public_streams: true }), await eve.events()];
  await iris.call(updateUser, { user_id: eve.userId, role: 600 });
  expect(await own.next('realm_user')).toMatchObject({ person: { user_id: eve.userId, role: 600 } });
  const path = `/api/v1/events?queue_id=${wide.queueId}&last_event_id=-1&dont_block=true`;
  expect((await eve.callRaw({ method: 'GET', path })).json).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
  expect(await eve.call(getOwnUser, {})).toMatchObject({ role: 600, is_guest: true });
});

test('everybody is listed, and no bot of the service', async () => {
  const { members } = await network.dan.call(listUsers, {});
  const { iris, dan, eve, faye, robo } = network;
  const ids = [iris, dan, eve, faye, robo].map(({ userId }) => userId).sort((a, b) => a - b);
  expect(members.map(({ user_id }) => user_id)).toEqual(ids);
});
