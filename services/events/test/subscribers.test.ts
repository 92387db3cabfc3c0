import { until } from '@parley/shared/testing';
import { CHANNEL, channelMessage, directMessage, edit, REALM, subscriber } from './eg';
import { contents, Network, type Pod } from './network';

/** Subscribers that are hard to load, or to cache: other events are delivered, and no poll loops forever. */

const OTHER_CHANNEL = 11;

let network: Network;
let pod: Pod;

async function startWith(options: { maxSubscriptions?: number } = {}): Promise<void> {
  network = await new Network(options).start();
  pod = await network.startPod();
}
afterEach(() => network.stop());

test('a message in a channel without subscribers is looked up once, and passed over', async () => {
  await startWith();
  network.realm.knows(REALM, CHANNEL, 0, []);
  const queue = await pod.register(1);
  await network.publishMessages(channelMessage({ subscriptionVersion: 0 }), directMessage([1], 'after'));
  expect(contents(await pod.drain(queue))).toEqual(['after']);
  expect(network.realm.questions).toBe(1);
});

test('an event of more channels than are cached is delivered, on waiting and later polls', async () => {
  await startWith({ maxSubscriptions: 4 });
  for (const channelId of [CHANNEL, OTHER_CHANNEL])
    network.realm.knows(REALM, channelId, 1, [subscriber(1, 1), subscriber(2, 1), subscriber(3, 1)]);
  const [waiting, later] = [await pod.register(1), await pod.register(2)];
  const answer = pod.poll(waiting);
  await pod.parked(1);
  const audience = { to: 'subscribers', channelId: CHANNEL, version: 1, isPublic: false } as const;
  const receivedAt = [{ channelId: OTHER_CHANNEL, version: 1 }];
  await network.publish('message.edited', [edit({ audience: { ...audience, receivedAt } })]);
  expect(await answer).toMatchObject([{ type: 'update_message' }]);
  expect(await pod.drain(later)).toMatchObject([{ type: 'update_message' }]);
});

test('a version that realm has lost is not awaited: the current subscribers are used', async () => {
  await startWith();
  network.realm.knows(REALM, CHANNEL, 2, [subscriber(1, 1), subscriber(2, 1, 2)]);
  const [stays, gone] = [await pod.register(1), await pod.register(2)];
  const answers = [pod.poll(stays), pod.poll(gone)];
  await network.publishMessages(channelMessage({ subscriptionVersion: 7, content: 'lost' }), directMessage([1, 2]));
  expect((await Promise.all(answers)).map(contents)).toEqual([['lost', 'psst'], ['psst']]);
  const asked = network.realm.questions;
  await network.publishMessages(channelMessage({ subscriptionVersion: 7, content: 'again' }));
  expect(contents(await pod.drain(stays))).toEqual(['again']);
  expect(network.realm.questions).toBe(asked);
});

test('a response requested before a version does not answer for it', async () => {
  await startWith();
  network.realm.knows(REALM, CHANNEL, 0, []);
  const [early, late] = [await pod.register(1), await pod.register(2)];
  const giveAnswer = network.realm.holdSubscribers();
  await network.publishMessages(channelMessage({ subscriptionVersion: 0 }));
  const first = pod.poll(early);
  await until(() => network.realm.questions === 1);
  network.realm.knows(REALM, CHANNEL, 1, [subscriber(2, 1)]);
  await network.publishMessages(channelMessage({ content: 'welcome' }), directMessage([1, 2]));
  const second = pod.poll(late);
  giveAnswer();
  expect(contents(await second)).toEqual(['welcome', 'psst']);
  expect(contents(await first)).toEqual(['psst']);
});

test('a poll that has waited long for facts gets an empty response, and is repeated', async () => {
  await startWith();
  const queue = await pod.register(1);
  await network.realm.stop();
  await network.publishMessages(channelMessage(), directMessage([1]));
  const waiting = pod.poll(queue);
  let isAnswered = false;
  void waiting.then(() => {
    isAnswered = true;
  });
  await until(() => {
    network.clock.advance(1_000);
    return isAnswered;
  });
  expect(await waiting).toEqual([]);
  await network.realm.start();
  expect(contents(await pod.drain(queue))).toEqual(['psst']);
});
