import { sendMessage, updateRealm } from '@parley/gateway/endpoints';
import { until } from '@parley/shared/testing';
import { TestNetwork } from '../../src';
import { killAt, type Step } from '../kill-at';
import { MailServer } from '../mail-server';
import { parseMail } from './away';

const HOUR_MS = 3_600_000;
/** The day whose digests are sent now, 0 Monday to 6 Sunday: they begin at 8 o'clock UTC. */
const weekday = (new Date(Date.now() - 8 * HOUR_MS).getUTCDay() + 6) % 7;

let server: MailServer;
let network: TestNetwork;
beforeAll(async () => {
  server = new MailServer();
  const settings = { SMTP_URL: await server.start(), MAILS_PER_SECOND: '1000' };
  network = await TestNetwork.create({ settings, joint: ['scheduler'], replicas: { scheduler: 2 } });
  const { dan, iris } = network;
  // New accounts have missed nothing.
  await network.database('realm').query(`update user_account set created_at = created_at - interval '10 days'`);
  await dan.call(sendMessage, { type: 'channel', to: 'general', topic: 'lunch', content: 'Soup?' });
  await network.settle();
  await Promise.all(network.replicas.scheduler.map((replica) => replica.kill()));
  await iris.call(updateRealm, { digest_emails_enabled: true, digest_weekday: weekday });
});
afterAll(async () => {
  await network.stop();
  await server.stop();
});

const database = () => network.database('scheduler');

/** All replicas are started, and plan at the same time; the leases of the dead are over. */
async function start(): Promise<void> {
  await database().query('update mail_job set leased_until = now() where leased_until is not null');
  await Promise.all(network.replicas.scheduler.map((replica) => replica.start()));
}

/** Who has got a digest when nothing is left to do, each as often as there were mails. Then a week passes. */
async function readers(): Promise<string[]> {
  const isDone = `select 1 from digest_run where is_done and not exists (select from mail_job where template = 'digest')`;
  await until(async () => (await database().query(isDone)).length > 0);
  await Promise.all(network.replicas.scheduler.map((replica) => replica.kill()));
  await database().query('update digest_run set day = day - 7');
  return server.mails
    .splice(0)
    .map((raw) => parseMail(raw).to)
    .sort();
}

const of = (table: string, on: Step['on'], at: Step['at'], when = 'true'): Step => ({ table, on, at, when });

const STEPS: [string, Step][] = [
  ['the digest begins', of('digest_run', 'update', 'statement', 'new.day > old.day')],
  ['that is committed', of('digest_run', 'update', 'commit', 'new.day > old.day')],
  ['it is stored how far it is', of('digest_run', 'update', 'statement', 'new.is_done')],
  ['the mails are queued', of('mail_job', 'insert', 'statement')],
  ['the queued mails are committed', of('mail_job', 'insert', 'commit')],
  ['a mail is taken for sending', of('mail_job', 'update', 'commit', 'new.attempts > old.attempts')],
];

test('everybody who was away gets one digest', async () => {
  await start();
  const people = await readers();
  expect(people).toContain('eve@example.com');
  expect(people).toEqual([...new Set(people)]);
});

test.each(STEPS)('it is one although the replica that plans it is killed when %s', async (_name, step) => {
  const [first] = network.replicas.scheduler.slice(0, 1) as [(typeof network.replicas.scheduler)[number]];
  await killAt(database(), step, [first], () => first.start());
  await start();
  const people = await readers();
  expect(people).toContain('eve@example.com');
  expect(people).toEqual([...new Set(people)]);
});
