import {
  addUser,
  changeGroupMembers,
  createGroup,
  fetchApiKey,
  getMessages,
  registerQueue,
  sendMessage,
  testWelcomeMessage,
} from '@parley/gateway/endpoints';
import { newCall } from '@parley/shared/rpc';
import { type PublicEvent, type TestClient, TestNetwork } from '../../src';
import { killAt, type Step } from '../kill-at';

let network: TestNetwork;
beforeAll(async () => {
  network = await TestNetwork.create({ messagesReplicas: 2, joint: ['messages'] });
});
afterAll(() => network.stop());

interface DirectMessage {
  id: number;
  content: string;
  sender_id: number;
  sender_full_name: string;
  sender_email: string;
  client: string;
}

/** A new person whom an owner has added. */
async function newcomer(name: string): Promise<TestClient> {
  const { iris } = network;
  const [email, password] = [`${name}@example.com`, 'correct horse battery staple'];
  await iris.call(addUser, { email, full_name: `New ${name}`, password });
  const { api_key: apiKey, user_id: userId } = await iris.call(fetchApiKey, { username: email, password });
  return network.clientOf({ realmId: 0, userId, email, apiKey });
}

/** The service's bots' messages to a user, as written. */
async function noticesOf(client: TestClient): Promise<DirectMessage[]> {
  const query = { anchor: 'newest', num_before: 100, num_after: 0, apply_markdown: false };
  const { messages } = await client.call(getMessages, query);
  return (messages as unknown as DirectMessage[]).filter(({ sender_email }) =>
    sender_email.endsWith('@system.invalid'),
  );
}

const messageOf = (event: PublicEvent) => event['message'] as DirectMessage;

/** Adds people to a new group, which sends each of them a notice. */
async function putIntoGroup(name: string, ...people: TestClient[]): Promise<void> {
  const { iris } = network;
  const { group_id } = await iris.call(createGroup, { name, description: '', members: [] });
  await iris.call(changeGroupMembers, { user_group_id: group_id, add: people.map(({ userId }) => userId) });
}

test('a change leads to one message of the notification bot, which everybody gets once', async () => {
  const { dan, eve, iris } = network;
  const [toDan, toEve] = [
    await dan.events({ event_types: ['message'] }),
    await eve.events({ event_types: ['message'] }),
  ];
  await putIntoGroup('cooks', dan, eve);
  await network.settle();
  const { cross_realm_bots: bots } = (await dan.call(registerQueue, { fetch_event_types: ['realm_user'] })) as {
    cross_realm_bots: { user_id: number; is_system_bot: true }[];
  };
  const [event, ...more] = await toDan.rest();
  expect(more).toEqual([]);
  expect(messageOf(event as PublicEvent)).toMatchObject({
    content: `@_**Iris Abara|${iris.userId}** added you to the group @_*cooks*.`,
    sender_id: bots[0]?.user_id,
    sender_full_name: 'Notification Bot',
    sender_email: 'notification-bot@system.invalid',
    client: 'Internal',
    display_recipient: [{ id: dan.userId }, { id: bots[0]?.user_id }],
  });
  expect(event).toMatchObject({ flags: [] });
  expect((await noticesOf(dan)).map(({ id }) => id)).toContain(messageOf(event as PublicEvent).id);
  expect(await toEve.rest()).toHaveLength(1);
});

test('a new user is welcomed once, however many join at a time', async () => {
  await network.realmService.permitUser(newCall(), { subdomain: '', email: network.iris.email, mayCreateUsers: true });
  const people = await Promise.all(Array.from({ length: 10 }, (_, index) => newcomer(`person${index}`)));
  await network.settle();
  for (const person of people) {
    expect(await noticesOf(person)).toMatchObject([{ sender_full_name: 'Welcome Bot' }]);
  }
});

test('a new user has recent messages, the newest of them unread, and the welcome starred', async () => {
  const { iris } = network;
  const said: number[] = [];
  for (let count = 0; count < 25; count += 1) {
    const message = { type: 'channel', to: 'general', topic: 'before', content: `said ${count}` } as const;
    said.push((await iris.call(sendMessage, message)).id);
  }
  const rosa = await newcomer('rosa');
  await network.settle();
  const state = await rosa.call(registerQueue, {
    fetch_event_types: ['message', 'update_message_flags', 'starred_messages'],
  });
  const { unread_msgs: unread, starred_messages: starred } = state as unknown as {
    unread_msgs: { streams: { unread_message_ids: number[] }[] };
    starred_messages: number[];
  };
  expect(unread.streams.flatMap(({ unread_message_ids: ids }) => ids)).toEqual(said.slice(5));
  const [welcome] = await noticesOf(rosa);
  expect(starred).toEqual([welcome?.id]);
  const { messages } = await rosa.call(getMessages, { anchor: 'newest', num_before: 100, num_after: 0 });
  const feed = messages as unknown as { id: number; flags: string[] }[];
  expect(feed.filter(({ id }) => said.includes(id)).map(({ flags }) => flags)).toEqual(
    said.map((_id, index) => (index < 5 ? ['read'] : [])),
  );
});

test('the welcome bot shows an administrator its message', async () => {
  const { iris, dan } = network;
  const { message_id: id } = await iris.call(testWelcomeMessage, {
    welcome_message_custom_text: 'Lunch is at **noon**.',
  });
  expect(id).toBeGreaterThan(0);
  const text = { welcome_message_custom_text: 'Hi' };
  expect(await dan.expectError('UNAUTHORIZED_PRINCIPAL', testWelcomeMessage, text)).toMatchObject({
    msg: 'Must be an organization administrator',
  });
  expect(await iris.expectError('BAD_REQUEST', testWelcomeMessage, { welcome_message_custom_text: ' ' })).toMatchObject(
    {
      msg: 'Message must not be empty',
    },
  );
});

describe('replicas that are killed after the commit and before they acknowledge the event', () => {
  test('have sent the notice: their successors do not send it again', async () => {
    const { dan } = network;
    const before = (await noticesOf(dan)).length;
    const events = await dan.events({ event_types: ['message'] });
    const database = network.database('messages');
    const replicas = network.replicas.messages;
    const isMeant = `content like '%survivors%'`;
    const stored: Step = { table: 'message', on: 'insert', when: `new.${isMeant}`, at: 'commit' };
    await killAt(database, stored, replicas, () => putIntoGroup('survivors', dan));
    expect(await database.query(`select 1 from message where ${isMeant}`)).toHaveLength(1);
    await Promise.all(replicas.map((replica) => replica.start()));
    await network.settle();
    expect(await database.query(`select 1 from message where ${isMeant}`)).toHaveLength(1);
    expect((await noticesOf(dan)).length).toBe(before + 1);
    expect((await events.rest()).map((event) => messageOf(event).content)).toEqual([
      expect.stringContaining('survivors'),
    ]);
  }, 60_000);
});
