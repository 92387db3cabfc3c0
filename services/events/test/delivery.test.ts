import { CHANNEL, channelMessage, directMessage, OTHER_REALM, REALM, subscriber, subscriptionChange } from './eg';
import { contents, Network, type Pod } from './network';

let network: Network;
let pod: Pod;

beforeEach(async () => {
  network = await new Network().start();
  pod = await network.startPod();
});

afterEach(() => network.stop());

describe('a message in a channel', () => {
  test('reaches the subscribers at its version, on all of their queues', async () => {
    network.realm.knows(REALM, CHANNEL, 3, [subscriber(1, 1), subscriber(2, 2), subscriber(3, 1, 3)]);
    const queues = await Promise.all([1, 1, 2, 3].map((userId) => pod.register(userId)));
    await network.publishMessages(
      channelMessage({ subscriptionVersion: 1, content: 'one' }),
      channelMessage({ subscriptionVersion: 2, content: 'two' }),
      channelMessage({ subscriptionVersion: 3, content: 'three' }),
    );
    const seen = await Promise.all(queues.map(async (queue) => contents(await pod.drain(queue))));
    expect(seen).toEqual([
      ['one', 'two', 'three'],
      ['one', 'two', 'three'],
      ['two', 'three'],
      ['one', 'two'],
    ]);
  });

  test('wakes the polls that wait for it, and no others', async () => {
    network.realm.knows(REALM, CHANNEL, 1, [subscriber(1, 1), subscriber(2, 1)]);
    const [one, two, stranger] = await Promise.all([1, 2, 3].map((userId) => pod.register(userId)));
    if (!one || !two || !stranger) throw new Error();
    const answers = [pod.poll(one), pod.poll(two)];
    void pod.poll(stranger).catch(() => {});
    await pod.parked(3);
    await network.publishMessages(channelMessage());
    expect((await Promise.all(answers)).map(contents)).toEqual([['hello'], ['hello']]);
    await network.settle();
    expect(pod.service.counters.parkedPolls).toBe(1);
  });

  test('is not delivered to a user who was removed before it was sent', async () => {
    network.realm.knows(REALM, CHANNEL, 1, [subscriber(1, 1), subscriber(2, 1)]);
    const removed = await pod.register(2);
    await network.publishMessages(channelMessage({ content: 'before' }));
    expect(contents(await pod.drain(removed))).toEqual(['before']);
    await network.publishChange(subscriptionChange({ version: 2, unsubscribedIds: [2] }));
    await network.publishMessages(channelMessage({ subscriptionVersion: 2, content: 'after' }));
    expect(await pod.drain(removed)).toEqual([]);
    expect(network.realm.questions).toBe(1);
  });

  test('carries the local id to the queue it was sent from, and to no other', async () => {
    network.realm.knows(REALM, CHANNEL, 1, [subscriber(1, 1)]);
    const [own, other] = [await pod.register(1), await pod.register(1)];
    await network.publishMessages(channelMessage({ queueId: own.queueId, localId: '5.01' }));
    const [ownEvent] = await pod.drain(own);
    const [otherEvent] = await pod.drain(other);
    expect(ownEvent).toMatchObject({ local_message_id: '5.01', local_id: '5.01' });
    expect(otherEvent).not.toHaveProperty('local_message_id');
  });

  test("has each receiver's own flags", async () => {
    network.realm.knows(REALM, CHANNEL, 1, [subscriber(1, 1), subscriber(2, 1)]);
    const [sender, mentioned] = [await pod.register(1), await pod.register(2)];
    await network.publishMessages(channelMessage({ readByIds: [1], mentionedIds: [2] }));
    expect((await pod.drain(sender))[0]?.flags).toEqual(['read']);
    expect((await pod.drain(mentioned))[0]?.flags).toEqual(['mentioned']);
  });

  test('in a channel unknown to realm reaches no queue', async () => {
    const queue = await pod.register(1);
    await network.publishMessages(channelMessage());
    expect(await pod.drain(queue)).toEqual([]);
  });
});

describe('when subscriptions change', () => {
  test('a gap in the versions is closed by asking realm, and only recipients get the events', async () => {
    network.realm.knows(REALM, CHANNEL, 1, [subscriber(1, 1), subscriber(2, 1)]);
    const [stays, goes] = [await pod.register(1), await pod.register(2)];
    await network.publishMessages(channelMessage({ content: 'before' }));
    await pod.drain(stays);
    // Version 2, in which user 2 leaves, comes after the message of version 3.
    network.realm.knows(REALM, CHANNEL, 3, [subscriber(1, 1), subscriber(2, 1, 2), subscriber(3, 3)]);
    await network.publishChange(subscriptionChange({ version: 3, subscribedIds: [3] }));
    await network.publishMessages(channelMessage({ subscriptionVersion: 3, content: 'after' }));
    expect(contents(await pod.drain(stays))).toEqual(['after']);
    expect(contents(await pod.drain(goes))).toEqual(['before']);
    expect(network.realm.questions).toBe(2);
  });

  test('an event waits while realm knows only an older set of subscribers than the event names', async () => {
    network.realm.knows(REALM, CHANNEL, 1, [subscriber(1, 1), subscriber(2, 1)]);
    const [stays, goes] = [await pod.register(1), await pod.register(2)];
    const answers = [pod.poll(stays), pod.poll(goes)];
    await pod.parked(2);
    await network.publishMessages(channelMessage({ subscriptionVersion: 2, content: 'secret' }));
    await network.publish('message.sent', [directMessage([1, 2], 'later')]);
    while (network.realm.questions < 2) await new Promise(setImmediate);
    expect(pod.service.counters.parkedPolls).toBe(2);
    network.realm.knows(REALM, CHANNEL, 2, [subscriber(1, 1), subscriber(2, 1, 2)]);
    expect((await Promise.all(answers)).map(contents)).toEqual([['secret'], ['later']]);
  });

  test('during an outage of realm its organization waits, others continue, and nothing is lost', async () => {
    network.realm.knows(REALM, CHANNEL, 1, [subscriber(1, 1)]);
    const [here, elsewhere] = [await pod.register(1), await pod.register(7, {}, OTHER_REALM)];
    const waiting = pod.poll(here);
    const going = pod.poll(elsewhere);
    await pod.parked(2);
    await network.realm.stop();
    await network.publishMessages(channelMessage({ content: 'one' }), directMessage([1], 'two'));
    await network.publish('message.sent', [directMessage([7], 'elsewhere')], OTHER_REALM);
    expect(contents(await going)).toEqual(['elsewhere']);
    expect(pod.service.counters.parkedPolls).toBe(1);
    await network.realm.start();
    expect(contents(await waiting)).toEqual(['one', 'two']);
  });
});

test('a direct message reaches its participants only', async () => {
  const queues = await Promise.all([1, 2, 3].map((userId) => pod.register(userId)));
  await network.publishMessages(directMessage([1, 2]));
  const seen = await Promise.all(queues.map(async (queue) => contents(await pod.drain(queue))));
  expect(seen).toEqual([['psst'], ['psst'], []]);
});

test('an organization never gets events of another, not even with the same ids', async () => {
  network.realm.knows(REALM, CHANNEL, 1, [subscriber(1, 1)]);
  network.realm.knows(OTHER_REALM, CHANNEL, 1, [subscriber(1, 1)]);
  const foreign = await pod.register(1, { allPublicChannels: true }, OTHER_REALM);
  await network.publishMessages(channelMessage(), directMessage([1]));
  expect(await pod.drain(foreign)).toEqual([]);
});

describe('a queue gets what it requested:', () => {
  beforeEach(() => network.realm.knows(REALM, CHANNEL, 1, [subscriber(1, 1)]));

  test('content as Markdown source or as HTML, the empty topic by name or as it is', async () => {
    const html = await pod.register(1, { applyMarkdown: true, capabilities: [] });
    const source = await pod.register(1);
    await network.publishMessages(channelMessage({ topic: '' }));
    expect((await pod.drain(html))[0]?.message).toMatchObject({ content: '<p>hello</p>', subject: 'general chat' });
    expect((await pod.drain(source))[0]?.message).toMatchObject({ content: 'hello', subject: '' });
  });

  test('only the types it named; none with an empty list', async () => {
    const messages = await pod.register(1, { hasEventTypes: true, eventTypes: ['message', 'no_such_type'] });
    const others = await pod.register(1, { hasEventTypes: true, eventTypes: ['reaction'] });
    const none = await pod.register(1, { hasEventTypes: true });
    await network.publishMessages(channelMessage());
    expect(contents(await pod.drain(messages))).toEqual(['hello']);
    expect(await pod.drain(others)).toEqual([]);
    expect(await pod.drain(none)).toEqual([]);
  });

  test('only the messages of its narrow', async () => {
    const narrowed = await pod.register(1, { narrow: [{ operator: 'topic', operand: 'Lunch' }] });
    await network.publishMessages(channelMessage({ topic: 'lunch', content: 'soup' }), channelMessage());
    expect(contents(await pod.drain(narrowed))).toEqual(['soup']);
  });

  test.each([
    ['all public channels', { allPublicChannels: true }],
    ['a narrow', { narrow: [{ operator: 'channel', operand: 'lobby' }] }],
  ])('with %s also what happens in public channels, without flags; never in private ones', async (_with, fields) => {
    const wide = await pod.register(5, fields);
    const waiting = pod.poll(wide);
    await pod.parked(1);
    await network.publishMessages(
      channelMessage({ isChannelPublic: false, content: 'private' }),
      channelMessage({ content: 'public', mentionsChannel: true }),
    );
    const events = await waiting;
    expect(contents(events)).toEqual(['public']);
    expect(events[0]?.flags).toEqual([]);
    wide.lastEventId = -1;
    expect(await pod.drain(wide)).toEqual(events);
  });

  test('a guest gets events of public channels only while subscribed', async () => {
    network.realm.knowsGuest(5);
    await expect(pod.register(5, { allPublicChannels: true })).rejects.toThrow('User not authorized for this query');
    const narrowed = await pod.register(5, { narrow: [{ operator: 'channel', operand: 'lobby' }] });
    await network.publishMessages(channelMessage());
    expect(await pod.drain(narrowed)).toEqual([]);
  });

  test('a narrow that queues cannot follow is refused', async () => {
    await expect(pod.register(1, { narrow: [{ operator: 'near', operand: '1' }] })).rejects.toThrow(
      'Operator near not supported.',
    );
  });

  test('a description beyond its bound is refused', async () => {
    const eventTypes = Array.from({ length: 5_000 }, (_, index) => `type${index}`);
    await expect(pod.register(1, { hasEventTypes: true, eventTypes })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });
});

test('an event is serialized once per variant, not once per queue', async () => {
  const userIds = Array.from({ length: 1_000 }, (_, index) => index + 1);
  network.realm.knows(
    REALM,
    CHANNEL,
    1,
    userIds.map((userId) => subscriber(userId, 1)),
  );
  const queues = await Promise.all(userIds.map((userId) => pod.register(userId, { applyMarkdown: userId % 2 === 0 })));
  const answers = queues.map((queue) => pod.poll(queue));
  await pod.parked(1_000);
  await network.publishMessages(channelMessage());
  const events = await Promise.all(answers);
  expect(new Set(events.map(([event]) => event?.message.content))).toEqual(new Set(['hello', '<p>hello</p>']));
  expect(pod.service.counters).toEqual({ parkedPolls: 0, serializations: 2 });
});
