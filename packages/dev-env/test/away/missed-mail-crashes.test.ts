import { sendMessage, updateUserSettings } from '@parley/gateway/endpoints';
import { until } from '@parley/shared/testing';
import { TestNetwork } from '../../src';
import { killAt, type Step } from '../kill-at';
import { MailServer } from '../mail-server';
import { parseMail } from './away';

let server: MailServer;
let network: TestNetwork;
beforeAll(async () => {
  server = new MailServer();
  const settings = { SMTP_URL: await server.start() };
  network = await TestNetwork.create({ settings, joint: ['scheduler'], replicas: { scheduler: 2 } });
  await network.eve.call(updateUserSettings, { email_notifications_batching_period_seconds: 1 });
});
afterAll(async () => {
  await network.stop();
  await server.stop();
});

const database = () => network.database('scheduler');

/** All replicas are started again, and the leases of the dead are over. */
async function restart(): Promise<void> {
  await database().query('update due_job set due_at = now() where lease is not null');
  await database().query('update mail_job set leased_until = now() where leased_until is not null');
  await Promise.all(network.replicas.scheduler.map((replica) => replica.start()));
}

const killAll = () => Promise.all(network.replicas.scheduler.map((replica) => replica.kill()));
const toEve = (content: string) => network.dan.call(sendMessage, { type: 'direct', to: [network.eve.userId], content });

/** The mails that arrive until nothing is left to do. */
async function mails() {
  await network.settle();
  await until(async () => {
    const left = await database().query(
      `select 1 from due_job where kind = 'missed-mail' union all select 1 from missed_message union all select 1 from mail_job`,
    );
    return left.length === 0;
  });
  return server.mails.splice(0).map(parseMail);
}

const of = (table: string, on: Step['on'], at: Step['at'], when = 'true'): Step => ({ table, on, at, when });
const handled = `new.consumer = 'scheduler-message-sent'`;
const claimed = `new.kind = 'missed-mail' and new.attempts > old.attempts`;

const STEPS: [string, Step][] = [
  ['its event is noted', of('handled_event', 'insert', 'statement', handled)],
  ['it is stored that it was missed', of('missed_message', 'insert', 'statement')],
  ['that is committed', of('missed_message', 'insert', 'commit')],
  ['its mail is due', of('due_job', 'update', 'commit', claimed)],
  ['the job ends', of('due_job', 'delete', 'statement', `old.kind = 'missed-mail'`)],
  ['its mail is queued', of('mail_job', 'insert', 'statement')],
  ['the queued mail is committed', of('mail_job', 'insert', 'commit')],
  ['the mail is taken for sending', of('mail_job', 'update', 'commit', 'new.attempts > old.attempts')],
];

test.each(STEPS)('a message is mailed once although all replicas are killed when %s', async (name, step) => {
  const content = `Killed when ${name}`;
  await killAt(database(), step, network.replicas.scheduler, () => toEve(content));
  await restart();
  const texts = (await mails()).map(({ text }) => text.match(/^> .*$/gm));
  expect(texts).toEqual([[`> ${content}`]]);
});

test('a mail whose acceptance got lost is sent again unchanged', async () => {
  server.silence = 'mail';
  await toEve('Twice');
  await server.until((has) => has.mails === 1);
  await killAll();
  server.silence = null;
  await restart();
  const [first, second, ...others] = await mails();
  expect([second?.headers['message-id'], second?.text, others]).toEqual([
    first?.headers['message-id'],
    first?.text,
    [],
  ]);
});

test('messages that come while no scheduler runs are mailed afterwards', async () => {
  await killAll();
  await toEve('Anyone?');
  await restart();
  expect(await mails()).toHaveLength(1);
});
