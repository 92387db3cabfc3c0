import { addWebPushSubscription, sendMessage, updateFlags } from '@parley/gateway/endpoints';
import { until } from '@parley/shared/testing';
import { TestNetwork } from '../../src';
import { killAt, type Step } from '../kill-at';
import { TestPushService, vapidKeys } from './push-service';

const { VAPID_PRIVATE_KEY, publicKey } = vapidKeys();
const pushService = new TestPushService(publicKey);
const BROWSER = 'eve';
let network: TestNetwork;
beforeAll(async () => {
  await pushService.start();
  const settings = { VAPID_PRIVATE_KEY, OUTGOING_ALLOW: '127.0.0.1' };
  network = await TestNetwork.create({ settings, joint: ['scheduler'], replicas: { scheduler: 2 } });
  await network.eve.call(addWebPushSubscription, pushService.subscribe(BROWSER));
});
afterAll(async () => {
  await network?.stop();
  pushService.stop();
});

const database = () => network.database('scheduler');

/** All replicas are started again, and the leases of the dead are over. */
async function restart(): Promise<void> {
  await database().query('update due_job set due_at = now() where lease is not null');
  await Promise.all(network.replicas.scheduler.map((replica) => replica.start()));
}

const toEve = async (content: string) =>
  (await network.dan.call(sendMessage, { type: 'direct', to: [network.eve.userId], content })).id as number;
const read = (id: number) => network.eve.call(updateFlags, { messages: [id], op: 'add', flag: 'read' });

/** What Eve's browser shows when nothing is left to do; the next delivery need not wait for its interval. */
async function shown(): Promise<(string | undefined)[]> {
  await network.settle();
  await until(async () => (await database().query(`select 1 from due_job where kind = 'push'`)).length === 0);
  await database().query('update push_device set pushed_at = null');
  const byTag = new Map<string, string | undefined>();
  for (const { note } of pushService.received) {
    if (note.type === 'show') byTag.set(note.tag, note.body);
    else byTag.delete(note.tag);
  }
  return [...byTag.values()];
}

const of = (table: string, on: Step['on'], at: Step['at'], when = 'true'): Step => ({ table, on, at, when });
const handled = `new.consumer = 'scheduler-message-sent'`;
const claimed = `new.kind = 'push' and new.attempts > old.attempts`;
const settled = `old.kind = 'push'`;

const SHOWING: [string, Step][] = [
  ['its event is noted', of('handled_event', 'insert', 'statement', handled)],
  ['it is stored that it is to be told', of('push', 'insert', 'statement')],
  ['that is committed', of('push', 'insert', 'commit')],
  ['the delivery is taken', of('due_job', 'update', 'commit', claimed)],
  ['it is stored that it was told', of('push', 'update', 'statement', 'new.tag is not null')],
  ['the delivery ends', of('due_job', 'delete', 'statement', settled)],
  ['that is committed, too', of('due_job', 'delete', 'commit', settled)],
];

const TAKING_BACK: [string, Step][] = [
  ['it is stored that it changed', of('push', 'update', 'statement', 'new.revision > old.revision')],
  ['that is committed', of('push', 'update', 'commit', 'new.revision > old.revision')],
  ['the delivery is taken', of('due_job', 'update', 'commit', claimed)],
  ['it is forgotten', of('push', 'delete', 'statement')],
  ['the delivery ends', of('due_job', 'delete', 'statement', settled)],
  ['that is committed, too', of('due_job', 'delete', 'commit', settled)],
];

test.each(SHOWING)('a message is told although all replicas are killed when %s', async (name, step) => {
  const content = `Killed when ${name}`;
  let id = 0;
  await killAt(database(), step, network.replicas.scheduler, async () => {
    id = await toEve(content);
  });
  await restart();
  expect(await shown()).toEqual([content]);
  await read(id);
  expect(await shown()).toEqual([]);
});

test.each(TAKING_BACK)('it is taken back although all replicas are killed when %s', async (name, step) => {
  const content = `To be read when ${name}`;
  const id = await toEve(content);
  expect(await shown()).toEqual([content]);
  await killAt(database(), step, network.replicas.scheduler, () => read(id));
  await restart();
  expect(await shown()).toEqual([]);
});
