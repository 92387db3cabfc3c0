import {
  archiveChannel,
  getRealmPresence,
  getUserPresence,
  registerQueue,
  sendMessage,
  setEditTypingStatus,
  setTypingStatus,
  subscribe,
  updateOwnStatus,
  updatePresence,
  updateUserSettings,
} from '@parley/gateway/endpoints';
import { type TestClient, TestNetwork } from '../../src';

let network: TestNetwork;
beforeAll(async () => {
  network = await TestNetwork.create({ eventsPods: 2 });
});
afterAll(() => network.stop());

const TODAY = { stream_typing_notifications: true, empty_topic_name: true, simplified_presence_events: true };
const TYPES = ['typing', 'typing_edit_message', 'presence'];
const queueOf = (client: TestClient, capabilities: object = TODAY) =>
  client.events({ event_types: TYPES, client_capabilities: capabilities });
const withoutIds = (events: object[]) => events.map((event) => ({ ...event, id: undefined }));

async function kitchen(...people: TestClient[]): Promise<number> {
  const principals = people.map(({ userId }) => userId);
  await network.dan.call(subscribe, { subscriptions: [{ name: 'kitchen' }], principals });
  const { subscriptions = [] } = await network.dan.call(registerQueue, { event_types: ['subscription'] });
  return subscriptions.find(({ name }) => name === 'kitchen')?.stream_id as number;
}

describe('typing', () => {
  test('a direct message reaches all of its people', async () => {
    const { dan, eve, iris } = network;
    const queues = await Promise.all([dan, eve, iris].map((client) => queueOf(client, {})));
    await dan.call(setTypingStatus, { op: 'start', to: [eve.userId] });
    await dan.call(setTypingStatus, { op: 'stop', to: [eve.userId] });
    await network.settle();
    const people = [dan, eve].sort((a, b) => a.userId - b.userId);
    const event = {
      type: 'typing',
      message_type: 'direct',
      sender: { user_id: dan.userId, email: dan.email },
      recipients: people.map(({ userId, email }) => ({ user_id: userId, email })),
    };
    const [dans = [], eves, irises] = await Promise.all(queues.map((queue) => queue.rest()));
    expect(withoutIds(dans)).toEqual(
      withoutIds([
        { ...event, op: 'start' },
        { ...event, op: 'stop' },
      ]),
    );
    expect(eves).toEqual(dans);
    expect(irises).toEqual([]);
  });

  test('typing in a topic reaches subscribers with that setting, in clients with the capability', async () => {
    const { dan, eve, iris } = network;
    const channelId = await kitchen(dan, eve);
    const [old, today, outside] = [await queueOf(eve, {}), await queueOf(eve), await queueOf(iris)];
    const known = await queueOf(eve, { stream_typing_notifications: true });
    const type = (op: 'start' | 'stop') =>
      dan.call(setTypingStatus, { type: 'channel', op, stream_id: channelId, topic: '(no topic)' });
    await type('start');
    await eve.call(updateUserSettings, { receives_typing_notifications: false });
    await type('stop');
    await eve.call(updateUserSettings, { receives_typing_notifications: true });
    await network.settle();
    const sender = { user_id: dan.userId, email: dan.email };
    const event = { type: 'typing', op: 'start', message_type: 'stream', sender, stream_id: channelId };
    expect(await today.rest()).toMatchObject([{ ...event, topic: '' }]);
    expect(await known.rest()).toMatchObject([{ ...event, topic: 'general chat' }]);
    expect([...(await old.rest()), ...(await outside.rest())]).toEqual([]);
  });

  test('typing in an edit reaches the message’s holders', async () => {
    const { dan, eve } = network;
    const channelId = await kitchen(dan, eve);
    const inTopic = { type: 'channel', to: 'kitchen', topic: 'lunch', content: 'soup' } as const;
    const { id } = await dan.call(sendMessage, inTopic);
    const { id: directId } = await dan.call(sendMessage, { type: 'direct', to: [eve.userId], content: 'hi' });
    const queue = await queueOf(eve);
    await dan.call(setEditTypingStatus, { message_id: id, op: 'start' });
    await dan.call(setEditTypingStatus, { message_id: directId, op: 'stop' });
    await network.settle();
    const event = { type: 'typing_edit_message', sender_id: dan.userId };
    const recipient = { type: 'channel', channel_id: channelId, topic: 'lunch' };
    const user_ids = [dan.userId, eve.userId].sort((a, b) => a - b);
    expect(await queue.rest()).toMatchObject([
      { ...event, op: 'start', message_id: id, recipient },
      { ...event, op: 'stop', message_id: directId, recipient: { type: 'direct', user_ids } },
    ]);
    await eve.expectError('BAD_REQUEST', setEditTypingStatus, { message_id: id, op: 'start' });
  });

  test('is refused for users who disabled it, and without the right to write', async () => {
    const { dan, eve, iris } = network;
    await dan.call(updateUserSettings, { send_private_typing_notifications: false });
    const refusal = await dan.expectError('BAD_REQUEST', setTypingStatus, { op: 'start', to: [eve.userId] });
    expect(refusal['msg']).toBe('User has disabled typing notifications for direct messages');
    await iris.call(subscribe, { subscriptions: [{ name: 'attic' }] });
    const { subscriptions = [] } = await iris.call(registerQueue, { event_types: ['subscription'] });
    const channelId = subscriptions.find(({ name }) => name === 'attic')?.stream_id as number;
    await iris.call(archiveChannel, { stream_id: channelId });
    const inAttic = { type: 'channel', op: 'start', stream_id: channelId, topic: 'x' } as const;
    expect((await iris.expectError('BAD_REQUEST', setTypingStatus, inAttic))['msg']).toBe('Invalid channel ID');
  });
});

describe('presence', () => {
  const presencesOf = async (client: TestClient) => {
    const state = await client.call(registerQueue, { fetch_event_types: ['presence'], client_capabilities: TODAY });
    return state.presences as Record<string, { active_timestamp: number; idle_timestamp: number }>;
  };
  /** Everybody was there so much earlier. */
  const age = (seconds: number) =>
    network.database('realm').query(
      `update user_presence set active_at = active_at - make_interval(secs => $1),
         connected_at = connected_at - make_interval(secs => $1)`,
      [seconds],
    );

  test('is announced at once, in each client’s format', async () => {
    const { dan, eve } = network;
    const [today, legacy] = [await queueOf(eve), await queueOf(eve, {})];
    const slim = await eve.events({ event_types: TYPES, slim_presence: true });
    await dan.call(updatePresence, { status: 'active' });
    await network.settle();
    const { [dan.userId]: times } = await presencesOf(eve);
    const website = { client: 'website', status: 'active', timestamp: times?.active_timestamp, pushable: false };
    const server_timestamp = expect.closeTo(Date.now() / 1000, -2);
    const event = { type: 'presence', user_id: dan.userId, server_timestamp, presence: { website } };
    expect(withoutIds(await today.rest())).toEqual(
      withoutIds([{ type: 'presence', presences: { [dan.userId]: times } }]),
    );
    expect(withoutIds(await legacy.rest())).toEqual(withoutIds([{ ...event, email: dan.email }]));
    expect(withoutIds(await slim.rest())).toEqual(withoutIds([event]));
  });

  test('that was fetched and followed is the one that is fetched later', async () => {
    const { dan, eve, iris } = network;
    await eve.call(updatePresence, { status: 'idle' });
    await age(200);
    const followed = await presencesOf(eve);
    const queue = await queueOf(eve);
    await dan.call(updatePresence, { status: 'active', ping_only: true });
    await dan.call(updateOwnStatus, { away: true });
    await dan.call(updatePresence, { status: 'active' });
    await eve.call(updatePresence, { status: 'active' });
    await iris.call(updatePresence, { status: 'idle' });
    await network.settle();
    const events = await queue.rest();
    for (const { presences } of events) Object.assign(followed, presences);
    expect(events).toHaveLength(4);
    expect(followed).toEqual(await presencesOf(eve));
    const { [dan.userId]: dans, [eve.userId]: eves } = followed;
    expect((eves?.idle_timestamp ?? 0) - (dans?.idle_timestamp ?? 0)).toBeGreaterThanOrEqual(320);
    await dan.call(updateOwnStatus, { away: false });
  });

  test('is asked for by updates', async () => {
    const { dan, eve } = network;
    await age(60);
    const first = await eve.call(updatePresence, { status: 'active', last_update_id: -1 });
    expect(Object.keys(first.presences ?? {})).toEqual(
      expect.arrayContaining([String(dan.userId), String(eve.userId)]),
    );
    const since = { status: 'active', last_update_id: first.presence_last_update_id as number };
    expect(await eve.call(updatePresence, since)).toMatchObject({
      presences: {},
      presence_last_update_id: first.presence_last_update_id,
    });
    await dan.call(updatePresence, { status: 'idle', ping_only: true });
    const next = await eve.call(updatePresence, since);
    expect(Object.keys(next.presences ?? {})).toEqual([String(dan.userId)]);
    expect(next.presence_last_update_id).toBeGreaterThan(since.last_update_id);
  });

  test('of one person and of everybody', async () => {
    const { dan, eve } = network;
    const { presences } = await eve.call(getRealmPresence, {});
    expect(presences[dan.email]).toMatchObject({ website: { client: 'website', pushable: false } });
    await age(201);
    for (const named of [dan.email, String(dan.userId)]) {
      const { presence } = await eve.call(getUserPresence, { user_id_or_email: named });
      expect(presence).toMatchObject({ aggregated: { status: 'offline' } });
    }
    const refused = await eve.expectError('BAD_REQUEST', getUserPresence, { user_id_or_email: '1234567' });
    expect(refused['msg']).toBe('No such user');
  });
});
