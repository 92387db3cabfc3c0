import { BadEventQueueIdError } from '@parley/shared/errors';
import type { ApiKeyRevoked } from '@parley/shared/events';
import { directMessage } from './eg';
import { contents, Network, type Pod, type TestQueue } from './network';

let network: Network;
let pod: Pod;

beforeEach(async () => {
  network = await new Network().start();
  pod = await network.startPod();
});
afterEach(() => network.stop());

const [LOST_PHONE, LAPTOP] = [31, 32];
const registerWith = (apiKeyId: number, userId = 1) => pod.register(userId, { apiKeyId });
const revoke = (...keyIds: number[]) => {
  const revoked: ApiKeyRevoked = { userId: 1, keyIds };
  return network.publish('api-key.revoked', [revoked]);
};
const refused = (queue: TestQueue, at = pod) =>
  expect(at.poll(queue, true)).rejects.toBeInstanceOf(BadEventQueueIdError);

describe('when an API key is revoked', () => {
  test('the queues that were made with it end, on every pod, also on those that start later', async () => {
    const other = await network.startPod();
    const [lost, unpolled] = [await registerWith(LOST_PHONE), await registerWith(LOST_PHONE)];
    await other.poll(lost, true);
    await revoke(LOST_PHONE, 99);
    await network.settle();
    const successor = await network.startPod();
    for (const at of [pod, other, successor]) for (const queue of [lost, unpolled]) await refused(queue, at);
  });

  test('waiting polls get nothing more, and queues of another key continue', async () => {
    const [lost, kept] = [await registerWith(LOST_PHONE), await registerWith(LAPTOP)];
    const answers = [pod.poll(lost), pod.poll(kept)];
    await pod.parked(2);
    await revoke(LOST_PHONE);
    await network.publishMessages(directMessage([1], 'only for the laptop'));
    expect(await Promise.all(answers)).toEqual([[], []]);
    await refused(lost);
    expect(contents(await pod.drain(kept))).toEqual(['only for the laptop']);
  });

  test('queues made afterwards, and those of other users, are not affected', async () => {
    const somebodys = await registerWith(LOST_PHONE, 2);
    await revoke(LOST_PHONE);
    await network.settle();
    const later = await registerWith(LOST_PHONE);
    expect(await pod.poll(somebodys, true)).toEqual([]);
    expect(await pod.poll(later, true)).toEqual([]);
  });
});
