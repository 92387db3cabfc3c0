import { createChannel, editMessage, sendMessage, setTypingStatus, subscribe } from '@parley/gateway/endpoints';
import { type EventQueue, type TestClient, TestNetwork } from '../../src';

/** Channels without any subscriber, ever: events in them must not stop other events. */

let network: TestNetwork;
beforeAll(async () => {
  network = await TestNetwork.create();
});
afterAll(() => network.stop());

const say = (person: TestClient, to: string, content: string) =>
  person.call(sendMessage, { type: 'channel', to, topic: 'x', content });
const emptyChannel = (name: string) => network.iris.call(createChannel, { name, subscribers: [] });

/** The events of a queue that polls only now, and of one that polled all the time, after the action and another one. */
async function heardAfter(happens: () => Promise<unknown>): Promise<[string[], string[]]> {
  const { dan, eve, iris } = network;
  const options = {
    event_types: ['message', 'typing', 'update_message'],
    client_capabilities: { stream_typing_notifications: true },
  };
  const [later, waiting] = [await eve.events(options), await dan.events(options)];
  const waited = heardBy(waiting);
  await happens();
  await iris.call(sendMessage, { type: 'direct', to: [dan.userId, eve.userId], content: 'the end' });
  return [await heardBy(later), await waited];
}

async function heardBy(queue: EventQueue): Promise<string[]> {
  const contents: string[] = [];
  while (contents.at(-1) !== 'the end') {
    const { message } = (await queue.next('message')) as unknown as { message: { content: string } };
    contents.push(message.content);
  }
  return contents;
}

test('a message there has no receivers, and does not block deliveries', async () => {
  await emptyChannel('nobody-reads');
  const heard = await heardAfter(() => say(network.dan, 'nobody-reads', 'is there anybody?'));
  expect(heard).toEqual([['the end'], ['the end']]);
});

test('typing there has no receivers, and does not block deliveries', async () => {
  const { id } = await emptyChannel('nobody-waits');
  const heard = await heardAfter(() =>
    network.dan.call(setTypingStatus, { op: 'start', type: 'channel', stream_id: id, topic: 'x' }),
  );
  expect(heard).toEqual([['the end'], ['the end']]);
});

test('a message moved there, and its notice, do not block deliveries', async () => {
  const { id } = await emptyChannel('nobody-notices');
  const sent = await say(network.iris, 'general', 'on its way');
  await network.settle();
  const heard = await heardAfter(() => network.iris.call(editMessage, { message_id: sent.id, stream_id: id }));
  expect(heard.map((contents) => contents.at(-1))).toEqual(['the end', 'the end']);
});

test('its first subscriber gets later messages', async () => {
  await emptyChannel('somebody-comes');
  const heard = await heardAfter(async () => {
    await say(network.dan, 'somebody-comes', 'before');
    await network.eve.call(subscribe, { subscriptions: [{ name: 'somebody-comes' }] });
    await say(network.dan, 'somebody-comes', 'after');
  });
  expect(heard).toEqual([['after', 'the end'], ['the end']]);
});
