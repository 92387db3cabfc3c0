import {
  createChannel,
  deactivateRealm,
  deactivateUser,
  devFetchApiKey,
  getApiKeys,
  getMessages,
  listGroups,
  listSubscriptions,
  regenerateApiKey,
  regenerateBotApiKey,
  registerQueue,
  revokeApiKey,
  sendMessage,
  unsubscribe,
  updateChannel,
  updateRealm,
} from '@parley/gateway/endpoints';
import { newCall } from '@parley/shared/rpc';
import { ROLES } from '@parley/shared/values';
import { eg, type RawAnswer, type TestClient, TestNetwork } from '../../src';
import { untilPollsWait } from '../waiting-polls';

let network: TestNetwork;
beforeAll(async () => {
  network = await TestNetwork.create({ settings: { DEV_LOGIN: '1' } });
});
afterAll(() => network.stop());

/** Somebody whose account a test may spoil. */
async function newcomer(fullName: string): Promise<TestClient> {
  const email = `${fullName.toLowerCase()}@example.com`;
  return network.clientOf(
    await network.realmService.createUser(newCall(), {
      subdomain: eg.home.subdomain,
      email,
      fullName,
      role: ROLES.member,
    }),
  );
}

const stateless = { fetch_event_types: [] };
const poll = (person: TestClient, queueId: string, dontBlock = false): Promise<RawAnswer> =>
  person.callRaw({
    method: 'GET',
    path: `/api/v1/events?queue_id=${queueId}&last_event_id=-1&dont_block=${dontBlock}`,
  });
const badQueue = { status: 400, json: { code: 'BAD_EVENT_QUEUE_ID' } };
const holderOf = ({ realmId, userId, email }: TestClient, apiKey: string) =>
  network.clientOf({ realmId, userId, email, apiKey });
/** The same person on another device. */
const otherDevice = async (person: TestClient) =>
  holderOf(person, (await person.call(devFetchApiKey, { username: person.email })).api_key);
/** Without earlier events. */
async function openQueue(person: TestClient, eventTypes = ['message']): Promise<string> {
  await network.settle();
  return (await person.call(registerQueue, { ...stateless, event_types: eventTypes })).queue_id as string;
}

/** The answer of a poll that waits during the action. */
async function pollDuring(person: TestClient, queueId: string, happens: () => Promise<unknown>): Promise<RawAnswer> {
  const answer = poll(person, queueId);
  await untilPollsWait(network, 1);
  await happens();
  return answer;
}

describe('a new API key', () => {
  test('ends the queues of the old one, a waiting poll included', async () => {
    const [{ eve }, gus] = [network, await newcomer('Gus')];
    const queueId = await openQueue(gus);
    let apiKey = '';
    const answer = await pollDuring(gus, queueId, async () => {
      apiKey = (await gus.call(regenerateApiKey, {})).api_key;
    });
    expect(answer).toMatchObject({ status: 200, json: { events: [] } });
    const renewed = holderOf(gus, apiKey);
    expect(await poll(gus, queueId, true)).toMatchObject({ status: 401 });
    expect(await poll(renewed, queueId, true)).toMatchObject(badQueue);
    const later = await renewed.events(stateless);
    const { id } = await eve.call(sendMessage, { type: 'direct', to: [gus.userId], content: 'all well?' });
    expect(await later.next('message')).toMatchObject({ message: { id } });
  });

  test('of a bot ends those that it had', async () => {
    const { dan, robo } = network;
    const queueId = await openQueue(robo);
    const answer = await pollDuring(robo, queueId, () => dan.call(regenerateBotApiKey, { bot_id: robo.userId }));
    expect(answer).toMatchObject({ status: 200, json: { events: [] } });
    expect(await poll(robo, queueId, true)).toMatchObject({ status: 401 });
  });
});

test('a device that is signed out loses its queues; those of the other devices go on', async () => {
  const { dan, eve } = network;
  const phone = await otherDevice(dan);
  const [lost, kept] = [await openQueue(phone), await dan.events(stateless)];
  const { api_keys: keys } = await dan.call(getApiKeys, {});
  const phoneKey = Math.max(...keys.filter(({ expires_at }) => expires_at === null).map(({ id }) => id));
  const answer = await pollDuring(phone, lost, () => dan.call(revokeApiKey, { key_id: phoneKey }));
  expect(answer).toMatchObject({ status: 200, json: { events: [] } });
  expect(await poll(phone, lost, true)).toMatchObject({ status: 401 });
  expect(await poll(dan, lost, true)).toMatchObject(badQueue);
  const { id } = await eve.call(sendMessage, { type: 'direct', to: [dan.userId], content: 'x' });
  expect(await kept.next('message')).toMatchObject({ message: { id } });
});

describe('deactivating', () => {
  test('a user ends a poll that waits for something else', async () => {
    const [{ iris }, hal] = [network, await newcomer('Hal')];
    const queueId = await openQueue(hal);
    const answer = await pollDuring(hal, queueId, () => iris.call(deactivateUser, { user_id: hal.userId }));
    expect(answer).toMatchObject({ status: 200, json: { events: [] } });
    expect(await poll(hal, queueId)).toMatchObject({ status: 401, json: { code: 'USER_DEACTIVATED' } });
  });

  test('the organization ends all polls, after clients with the capability got the event', async () => {
    const { iris, dan, eve, zoe } = network;
    const [withEvent, withoutEvent, away] = [
      await openQueue(dan, ['realm']),
      await openQueue(eve),
      await openQueue(zoe),
    ];
    const answers = [poll(dan, withEvent), poll(eve, withoutEvent)];
    await untilPollsWait(network, 2);
    await iris.call(deactivateRealm, {});
    const [first, second] = await Promise.all(answers);
    const event = { type: 'realm', op: 'deactivated', realm_id: expect.any(Number) };
    expect(first).toMatchObject({ status: 200, json: { events: [event] } });
    expect(second).toMatchObject({ status: 200, json: { events: [] } });
    expect(await poll(dan, withEvent)).toMatchObject({ status: 401, json: { code: 'REALM_DEACTIVATED' } });
    expect(await poll(zoe, away, true)).toMatchObject({ status: 200 });
    await network.realmService.reactivateRealm(newCall(), { subdomain: eg.home.subdomain });
  });
});

describe('a user who loses access to a channel', () => {
  const say = (content: string, to: string) =>
    network.iris.call(sendMessage, { type: 'channel', to, topic: 'x', content });
  const contentsOf = (events: { type: string }[]) =>
    (events as { type: string; message?: { content: string } }[])
      .filter(({ type }) => type === 'message')
      .map(({ message }) => message?.content);

  test('by being unsubscribed gets the event at once, earlier messages, and no later ones', async () => {
    const { iris, dan } = network;
    const [idle, waiting] = [await dan.events(stateless), await openQueue(dan, ['subscription', 'stream', 'message'])];
    const answer = await pollDuring(dan, waiting, async () => {
      await iris.call(unsubscribe, { subscriptions: ['leads'], principals: [dan.userId] });
      await say('not for Dan any more', 'leads');
    });
    const [first] = answer.json['events'] as { type: string; op: string }[];
    expect(first).toMatchObject({ type: 'subscription', op: 'remove', subscriptions: [{ name: 'leads' }] });
    await network.settle();
    expect(contentsOf(await idle.rest())).toEqual([]);
    const all = (await poll(dan, waiting, true)).json['events'] as { type: string; op: string }[];
    expect(all.map(({ type, op }) => `${type}/${op}`)).toEqual(['subscription/remove', 'stream/delete']);
  });

  test('that has become private gets no events of it in wide queues', async () => {
    const { iris, eve } = network;
    const { id } = await iris.call(createChannel, { name: 'salon', subscribers: [iris.userId] });
    const [wide, narrow] = [
      await eve.events({ ...stateless, all_public_streams: true }),
      await eve.events({ ...stateless, narrow: [['channel', 'salon']] }),
    ];
    await say('public', 'salon');
    await iris.call(updateChannel, { stream_id: id, is_private: true });
    await say('private', 'salon');
    await network.settle();
    for (const queue of [wide, narrow]) expect(contentsOf(await queue.rest())).toEqual(['public']);
  });
});

test('a guest with limited access to users gets no other names, in events as in messages', async () => {
  const { iris, dan, eve, faye } = network;
  const { user_groups: groups } = await iris.call(listGroups, {});
  const members = groups.find(({ name }) => name === 'role:members')?.id as number;
  await iris.call(updateRealm, { can_access_all_users_group: { new: members } });
  const { subscriptions } = await faye.call(listSubscriptions, {});
  await faye.call(unsubscribe, { subscriptions: subscriptions.map(({ name }) => name) });
  await dan.call(createChannel, { name: 'lounge', subscribers: [dan.userId, faye.userId] });
  await network.settle();
  const queue = await faye.events({ ...stateless, event_types: ['message'] });
  for (const person of [eve, dan])
    await person.call(sendMessage, { type: 'channel', to: 'lounge', topic: 'x', content: 'hello' });
  const nameIn = ({ sender_full_name, sender_email, avatar_url }: Record<string, unknown>) => [
    sender_full_name,
    sender_email,
    avatar_url,
  ];
  const heard = (await queue.take('message', 2)).map(({ message }) => nameIn(message as Record<string, unknown>));
  const { messages } = await faye.call(getMessages, { anchor: 'newest', num_before: 2 });
  expect(heard).toEqual(messages.map(nameIn));
  expect(heard.map(([name]) => name)).toEqual(['Unknown user', 'Dan Brooks']);
});
