import { until } from '@parley/shared/testing';
import { REALM } from './eg';
import { Network, type Pod, publishTo } from './network';

let network: Network;
let pod: Pod;

beforeEach(async () => {
  network = await new Network().start();
  pod = await network.startPod();
});
afterEach(() => network.stop());

const firstMessageChanged = (channelId: number, userIds: number[]) => ({
  ...{ channelId, name: 'lobby', isArchived: false },
  audience: { to: 'users', userIds },
});
const publish = (...channelIds: number[]) =>
  network.publish(
    'channel.first-message-told',
    channelIds.map((id) => firstMessageChanged(id, [1, 2])),
  );
const values = (events: { type: string; value?: unknown }[]) => events.map(({ value }) => value);

test('first messages are requested once for all recipients of an event, and together for many events', async () => {
  network.messages.knowsFirstMessage(10, 100);
  const [waiting, later, other] = [await pod.register(1), await pod.register(1), await pod.register(2)];
  const answer = pod.poll(waiting);
  await pod.parked(1);
  await publish(10);
  expect(values(await answer)).toEqual([100]);
  await publish(11, 12);
  network.messages.knowsFirstMessage(12, 120);
  expect(values(await pod.drain(later))).toEqual([100, null, 120]);
  expect(values(await pod.drain(other))).toEqual([100, null, 120]);
  expect(network.messages.askedChannels).toEqual([[10], [11, 12]]);
});

test('first messages are not requested for events without recipients', async () => {
  const waiting = await pod.register(3);
  const answer = pod.poll(waiting);
  await pod.parked(1);
  await publish(10);
  await network.publish('channel.first-message-told', [firstMessageChanged(11, [3])]);
  expect(values(await answer)).toEqual([null]);
  expect(network.messages.askedChannels).toEqual([[11]]);
});

test('during an outage of messages the event waits, and so do all later ones', async () => {
  network.messages.knowsFirstMessage(10, 100);
  const [waiting, asking] = [await pod.register(1), await pod.register(2)];
  const answer = pod.poll(waiting);
  await pod.parked(1);
  await network.messages.stop();
  await publish(10);
  await publish(11);
  const asked = pod.poll(asking);
  await network.messages.start();
  expect(values([...(await answer), ...(await pod.drain(waiting))])).toEqual([100, null]);
  expect(values([...(await asked), ...(await pod.drain(asking))])).toEqual([100, null]);
});

test('a pending request is not repeated, however often clients poll', async () => {
  const queue = await pod.register(1);
  await publish(10);
  await pod.service.caughtUp();
  const release = network.messages.holdNext();
  const polls = Array.from({ length: 20 }, () => pod.poll(queue));
  await until(() => network.messages.askedChannels.length === 1);
  release();
  // A poll after the answer gets it, too.
  expect(new Set(values((await Promise.all(polls)).flat()))).toEqual(new Set([null]));
  expect(network.messages.askedChannels).toEqual([[10]]);
});

test('the event is delivered even if the change precedes the client’s state', async () => {
  const queue = await pod.register(1, { snapshots: [{ service: 'test', snapshot: '900:900:' }] });
  network.messages.knowsFirstMessage(10, 100);
  await publishTo(network.bus, 'channel.first-message-told', [firstMessageChanged(10, [1])], REALM, [20]);
  expect(values(await pod.drain(queue))).toEqual([100]);
});
