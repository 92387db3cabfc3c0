import { directMessage, REALM } from './eg';
import { contents, Network, type Pod, publishTo } from './network';

/** A queue skips exactly the events that its client's state includes. */

let network: Network;
let pod: Pod;
beforeEach(async () => {
  network = await new Network().start();
  pod = await network.startPod();
});
afterEach(() => network.stop());

const MESSAGES = ['t9', 't10', 't12', 't20', 'unknown'];

/** One record with the messages of these transactions. */
const publishAll = () =>
  publishTo(
    network.bus,
    'message.sent',
    MESSAGES.map((content) => directMessage([1], content)),
    REALM,
    [9, 10, 12, 20, null],
  );

const register = (service: string, snapshot: string) => pod.register(1, { snapshots: [{ service, snapshot }] });

test('transactions that the snapshot has seen are left out, while a poll waits and later', async () => {
  const [waiting, later] = [await register('test', '10:20:12'), await register('test', '10:20:12')];
  const answer = pod.poll(waiting);
  await pod.parked(1);
  await publishAll();
  expect(contents(await answer)).toEqual(['t12', 't20', 'unknown']);
  expect(contents(await pod.drain(later))).toEqual(['t12', 't20', 'unknown']);
});

test.each([
  ['another service', 'realm', '10:20:12'],
  ['too many transactions in progress', 'test', `1:900:${Array.from({ length: 300 }, (_, id) => id + 1).join()}`],
  ['no snapshot', 'test', ''],
])('a snapshot of %s leaves out nothing', async (_what, service, snapshot) => {
  const queue = await register(service, snapshot);
  await publishAll();
  expect(contents(await pod.drain(queue))).toEqual(MESSAGES);
});

test('a queue begins where the log ended before the state was read, on any pod', async () => {
  const other = await network.startPod();
  const beginning = await pod.beginning(1);
  await publishAll();
  await pod.service.caughtUp();
  const queue = await pod.register(1, { beginning, snapshots: [{ service: 'test', snapshot: '10:20:12' }] });
  expect(contents(await other.drain(queue))).toEqual(['t12', 't20', 'unknown']);
});
