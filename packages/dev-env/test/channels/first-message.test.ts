import { deleteQueue, getEvents, getMessage, getMessages, getOwnUser, sendMessage } from '@parley/gateway/endpoints';
import { TestNetwork } from '../../src';
import { untilPollsWait } from '../waiting-polls';

let network: TestNetwork;
beforeAll(async () => {
  network = await TestNetwork.create();
});
afterAll(() => network.stop());

const lunch = { type: 'channel', to: 'general', topic: 'lunch' } as const;

describe('a message to a channel', () => {
  test('reaches a waiting subscriber, and is stored', async () => {
    const { dan, eve } = network;
    const events = await eve.events({ event_types: ['message'] });
    const waiting = events.next('message');
    const { id } = await dan.call(sendMessage, { ...lunch, content: '**Soup**, anyone?' });
    const event = await waiting;
    expect(event).toMatchObject({
      type: 'message',
      message: {
        id,
        content: '**Soup**, anyone?',
        subject: 'lunch',
        display_recipient: 'general',
        sender_id: dan.userId,
      },
      flags: [],
    });
    const { message } = await eve.call(getMessage, { message_id: id });
    expect(message).toMatchObject({ id, content: '<p><strong>Soup</strong>, anyone?</p>', type: 'stream' });
    const { messages } = await eve.call(getMessages, { anchor: String(id), num_before: 0, num_after: 0 });
    expect(messages.map((each) => each.id)).toEqual([id]);
  });

  test('reaches its sender too, who recognizes it by local_id, in the one queue that was named', async () => {
    const { dan } = network;
    const [echoing, other] = [await dan.events(), await dan.events()];
    const local = { queue_id: echoing.queueId, local_id: '17.01' };
    const { id } = await dan.call(sendMessage, { ...lunch, content: 'me too', ...local });
    expect(await echoing.next('message')).toMatchObject({ message: { id }, local_message_id: '17.01' });
    expect(await other.next('message')).not.toHaveProperty('local_message_id');
  });

  test('is not repeated once it was acknowledged, and is as often as it was not', async () => {
    const { dan, eve } = network;
    const events = await eve.events({ event_types: ['message'] });
    await dan.call(sendMessage, { ...lunch, content: 'one' });
    await dan.call(sendMessage, { ...lunch, content: 'two' });
    await network.settle();
    const all = await events.poll(-1, true);
    expect(all.map(({ message }) => (message as { content: string }).content)).toEqual(['one', 'two']);
    expect(await events.poll(-1, true)).toEqual(all);
    expect(await events.poll(all[0]?.id as number, true)).toEqual(all.slice(1));
    expect(await events.poll(all[1]?.id as number, true)).toEqual([]);
  });

  test('mentions whom it mentions', async () => {
    const { dan, eve, iris } = network;
    const [toEve, toIris] = [await eve.events(), await iris.events()];
    await dan.call(sendMessage, { ...lunch, content: 'what do you think, @**Eve Castillo**?' });
    expect(await toEve.next('message')).toMatchObject({ flags: ['mentioned'] });
    expect(await toIris.next('message')).toMatchObject({ flags: [] });
  });
});

describe('a direct message', () => {
  test('reaches its two participants only', async () => {
    const { dan, eve, iris } = network;
    const [toDan, toEve, toIris] = [await dan.events(), await eve.events(), await iris.events()];
    const { id } = await dan.call(sendMessage, { type: 'direct', to: [eve.userId], content: 'psst' });
    for (const events of [toDan, toEve])
      expect(await events.next('message')).toMatchObject({ message: { id, type: 'private' } });
    await network.settle();
    expect(await toIris.rest()).toEqual([]);
    await iris.expectError('BAD_REQUEST', getMessage, { message_id: id });
  });

  test('finds people by their addresses as well', async () => {
    const { dan, eve, faye } = network;
    const toFaye = await faye.events();
    const { id } = await dan.call(sendMessage, { type: 'private', to: [eve.email, faye.email], content: 'you two' });
    const { message } = await toFaye.next('message');
    expect(message).toMatchObject({
      id,
      display_recipient: [{ id: dan.userId }, { id: eve.userId }, { id: faye.userId }],
    });
  });
});

describe('a queue', () => {
  test('ends when it is deleted, and so does the poll that waits on it', async () => {
    const { eve } = network;
    const { queueId } = await eve.events();
    const waiting = eve.call(getEvents, { queue_id: queueId, last_event_id: -1 });
    await untilPollsWait(network, 1);
    await eve.call(deleteQueue, { queue_id: queueId });
    expect(await waiting).toMatchObject({ events: [] });
    const gone = await eve.expectError('BAD_EVENT_QUEUE_ID', getEvents, { queue_id: queueId, last_event_id: -1 });
    expect(gone).toMatchObject({ queue_id: queueId });
  });

  test('belongs to the user who registered it', async () => {
    const { dan, eve, zoe } = network;
    const { queueId } = await eve.events();
    for (const stranger of [dan, zoe]) {
      await stranger.expectError('BAD_EVENT_QUEUE_ID', getEvents, { queue_id: queueId, last_event_id: -1 });
      await stranger.expectError('BAD_EVENT_QUEUE_ID', deleteQueue, { queue_id: queueId });
    }
  });
});

test('each key authenticates its own user', async () => {
  for (const person of [network.iris, network.dan, network.faye, network.robo, network.zoe]) {
    expect(await person.call(getOwnUser, {})).toMatchObject({ user_id: person.userId, email: person.email });
  }
});
