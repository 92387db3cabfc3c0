import {
  addAlertWords,
  createGroup,
  deleteMessage,
  editMessage,
  getMessage,
  muteUser,
  removeAlertWords,
  sendMessage,
  subscribe,
  unmuteUser,
  updateFlags,
} from '@parley/gateway/endpoints';
import { type PublicEvent, type TestClient, TestNetwork } from '../../src';

let network: TestNetwork;
beforeAll(async () => {
  network = await TestNetwork.create();
});
afterAll(() => network.stop());

const WILDCARD_OF_TOPIC = ['topic_wildcard_mentioned', 'wildcard_mentioned'];
const WILDCARD_OF_CHANNEL = ['stream_wildcard_mentioned', 'wildcard_mentioned'];

async function newChannel(name: string): Promise<void> {
  const { dan, eve, iris } = network;
  const principals = [dan, eve, iris].map(({ userId }) => userId);
  await dan.call(subscribe, { subscriptions: [{ name }], principals });
}

async function send(client: TestClient, to: string, content: string, topic = 'talk'): Promise<number> {
  return (await client.call(sendMessage, { type: 'channel', to, topic, content })).id;
}

const listen = (client: TestClient, ...event_types: string[]) => client.events({ event_types });
const flagsOf = (events: readonly PublicEvent[]) => events.map(({ flags }) => flags);
const readFlags = async (client: TestClient, message_id: number) =>
  (await client.call(getMessage, { message_id })).message.flags;

test('alert words mark later messages on open queues and in later reads alike', async () => {
  const { dan, eve, iris } = network;
  await newChannel('alerts');
  const [toEve, toIris] = [await listen(eve, 'message'), await listen(iris, 'message')];
  await send(dan, 'alerts', 'lunch before');
  await eve.call(addAlertWords, { alert_words: ['Lunch'] });
  await network.settle();
  const id = await send(dan, 'alerts', 'lunch now');
  await network.settle();
  expect(flagsOf(await toEve.rest())).toEqual([[], ['has_alert_word']]);
  expect(flagsOf(await toIris.rest())).toEqual([[], []]);
  expect(await readFlags(eve, id)).toEqual(['has_alert_word']);
  await eve.call(removeAlertWords, { alert_words: ['lunch'] });
  await network.settle();
  await send(dan, 'alerts', 'lunch again');
  await network.settle();
  expect(flagsOf(await toEve.rest())).toEqual([[]]);
});

test('messages of a muted user count as read, earlier and later ones', async () => {
  const { dan, eve } = network;
  await newChannel('quarrel');
  const toEve = await listen(eve, 'message', 'update_message_flags');
  const ids = [await send(dan, 'quarrel', 'one'), await send(dan, 'quarrel', 'two')];
  await network.settle();
  expect(flagsOf(await toEve.rest())).toEqual([[], []]);
  await eve.call(muteUser, { muted_user_id: dan.userId });
  await network.settle();
  const read = (await toEve.rest()).map(({ id: _id, ...event }) => event);
  expect(read).toMatchObject([{ type: 'update_message_flags', op: 'add', operation: 'add', flag: 'read', all: false }]);
  expect(read[0]?.['messages']).toEqual(expect.arrayContaining(ids));
  const whileMuted = await send(dan, 'quarrel', 'three');
  await network.settle();
  expect(flagsOf(await toEve.rest())).toEqual([['read']]);
  await eve.call(unmuteUser, { muted_user_id: dan.userId });
  await network.settle();
  await send(dan, 'quarrel', 'four');
  await network.settle();
  expect(flagsOf(await toEve.rest())).toEqual([[]]);
  expect(await readFlags(eve, whileMuted)).toEqual(['read']);
});

test('mentions reach a user, the members of a group, the channel, or the topic’s participants', async () => {
  const { dan, eve, iris } = network;
  await newChannel('mentions');
  const members = [eve.userId];
  await dan.call(createGroup, { name: 'cooks', description: '', members });
  await send(iris, 'mentions', 'I was here', 'soup');
  await network.settle();
  const [toEve, toIris] = [await listen(eve, 'message'), await listen(iris, 'message')];
  for (const name of ['**Eve Castillo**', '*cooks*', '_**Eve Castillo**', '**all**', '**topic**']) {
    await send(dan, 'mentions', `@${name} look`, 'soup');
  }
  await network.settle();
  expect(flagsOf(await toEve.rest())).toEqual([['mentioned'], ['mentioned'], [], WILDCARD_OF_CHANNEL, []]);
  expect(flagsOf(await toIris.rest())).toEqual([[], [], [], WILDCARD_OF_CHANNEL, WILDCARD_OF_TOPIC]);
});

test('an edit has each receiver’s current flags', async () => {
  const { dan, eve, iris } = network;
  await newChannel('proof');
  await iris.call(addAlertWords, { alert_words: ['second'] });
  const id = await send(dan, 'proof', 'first');
  await eve.call(updateFlags, { messages: [id], op: 'add', flag: 'read' });
  await eve.call(updateFlags, { messages: [id], op: 'add', flag: 'starred' });
  await network.settle();
  const queues = [];
  for (const client of [dan, eve, iris]) queues.push(await listen(client, 'update_message'));
  await dan.call(editMessage, { message_id: id, content: 'second @**Eve Castillo**' });
  await network.settle();
  const flags = await Promise.all(queues.map(async (queue) => flagsOf(await queue.rest())));
  expect(flags[1]).toEqual([['read', 'starred', 'mentioned']]);
  expect(flags[2]).toEqual([['has_alert_word']]);
  const clients = [dan, eve, iris];
  for (const [index, client] of clients.entries()) expect(flags[index]).toEqual([await readFlags(client, id)]);
  await dan.call(editMessage, { message_id: id, topic: 'elsewhere' });
  await network.settle();
  const moved = await Promise.all(queues.map(async (queue) => flagsOf(await queue.rest())));
  expect(moved.slice(1)).toEqual(flags.slice(1));
  await dan.call(deleteMessage, { message_id: id });
});

test('a later subscriber gets the edit of an earlier message with the flag `read`', async () => {
  const { dan, iris } = network;
  await dan.call(subscribe, { subscriptions: [{ name: 'latecomers' }], principals: [dan.userId] });
  const id = await send(dan, 'latecomers', 'first');
  await iris.call(subscribe, { subscriptions: [{ name: 'latecomers' }] });
  await network.settle();
  const queue = await listen(iris, 'update_message');
  await dan.call(editMessage, { message_id: id, content: '@**all** second' });
  await network.settle();
  expect(flagsOf(await queue.rest())).toEqual([['read']]);
});
