import { BadEventQueueIdError } from '@parley/shared/errors';
import type { UserRoleChanged } from '@parley/shared/events';
import { until } from '@parley/shared/testing';
import { Network, type Pod, type TestQueue } from './network';

let network: Network;
let pod: Pod;

beforeEach(async () => {
  network = await new Network().start();
  pod = await network.startPod();
});
afterEach(() => network.stop());

const change = (endsQueues: UserRoleChanged['endsQueues']) =>
  network.publish('user.role-changed', [{ userId: 1, role: 600, audience: { to: 'realm' }, endsQueues }]);
const refused = (queue: TestQueue) => expect(pod.poll(queue, true)).rejects.toBeInstanceOf(BadEventQueueIdError);
const registerBoth = async () => [await pod.register(1), await pod.register(1, { allPublicChannels: true })] as const;

describe('a user whose role changed', () => {
  test('keeps the queues that are still valid', async () => {
    const [narrow, wide] = await registerBoth();
    await change('none');
    expect(await pod.drain(narrow)).toMatchObject([{ type: 'realm_user', person: { user_id: 1, role: 600 } }]);
    expect(await pod.drain(wide)).toHaveLength(1);
  });

  test('to guest loses the queues that listen to all public channels, with their waiting polls', async () => {
    const [narrow, wide] = await registerBoth();
    const waiting = pod.poll(wide);
    await pod.parked(1);
    await change('wide');
    expect(await waiting).toMatchObject([{ type: 'realm_user' }]);
    await refused(wide);
    expect(await pod.drain(narrow)).toHaveLength(1);
  });

  test('loses those queues for good: later pods, which need not know of the change, cannot serve them', async () => {
    const lifespanSecs = 604_800;
    const [narrow, wide] = [
      await pod.register(1, { lifespanSecs }),
      await pod.register(1, { lifespanSecs, allPublicChannels: true }),
    ];
    await change('wide');
    await network.settle();
    const bucket = await network.bus.js.views.kv(`${network.prefix}queues`);
    await until(async () => {
      network.clock.advance(60_000);
      return (await bucket.get(wide.queueId))?.operation === 'DEL';
    });
    expect((await bucket.get(narrow.queueId))?.operation).toBe('PUT');
  });

  test('and with it the visible users has to register again', async () => {
    const [narrow, wide] = await registerBoth();
    await change('all');
    await network.settle();
    await refused(narrow);
    await refused(wide);
    const later = await pod.register(1);
    await change('none');
    expect(await pod.drain(later)).toHaveLength(1);
  });
});

test('guests with a changed restriction register again, all at once; everybody else continues', async () => {
  const [guest, another, member] = [await pod.register(1), await pod.register(2), await pod.register(3)];
  const waiting = pod.poll(guest);
  await pod.parked(1);
  await network.publish('guest-restriction.changed', [{ guestIds: [1, 2] }]);
  expect(await waiting).toEqual([]);
  await refused(guest);
  await refused(another);
  const later = await pod.register(1);
  await change('none');
  expect(await pod.drain(later)).toHaveLength(1);
  expect(await pod.drain(member)).toHaveLength(1);
});
