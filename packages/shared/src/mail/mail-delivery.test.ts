import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { closeSmtpServers, type SmtpTestOptions, serveSmtp } from '../../test/smtp-server';
import { type Database, databaseUrl, migrate, openDatabase, type Statement } from '../db';
import { silentLogger } from '../observability';
import { createFakeClock, type FakeClock, observed, rowsReadIn, testPrefix, testServers, until } from '../testing';
import { pauseMs } from '../values';
import { composeMail, createMailDelivery, listUndeliveredMails, type MailDelivery, type MailJob, putMail } from '.';
import { BACK_OFF, type MailDeliveryDefinition } from './mail-delivery';
import { claimMails } from './mail-job.sql';
import { smtpMailer } from './mailers';

const TABLE = `create sequence mail_job_id;
create table mail_job (
  realm_id bigint not null, id bigint not null default nextval('mail_job_id'), template text not null, recipient text not null,
  content jsonb not null, created_at timestamptz not null, due_at timestamptz not null, attempts integer not null default 0,
  leased_until timestamptz, last_error text, given_up_at timestamptz, primary key (realm_id, id)
);
create index mail_job_due on mail_job (due_at) where given_up_at is null;`;
const MINUTE_MS = 60_000;
const LEASE_MS = 5 * MINUTE_MS;

let db: Database;
let clock: FakeClock;
const deliveries: MailDelivery[] = [];

beforeAll(async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'parley-mail-'));
  writeFileSync(path.join(directory, '000001-mail.sql'), TABLE);
  const url = databaseUrl(testServers().databaseUrl, testPrefix(), 'realm');
  await migrate({ url, service: 'realm', directory, log: silentLogger });
  db = openDatabase({ url, poolSize: 5, applicationName: 'test' });
});
beforeEach(() => {
  clock = createFakeClock();
});
afterEach(async () => {
  await Promise.all(deliveries.splice(0).map((delivery) => delivery.stop()));
  await closeSmtpServers();
  await db.query('delete from mail_job');
});
afterAll(() => db.close());

const put = (recipient = 'dan@example.com', template = 'greeting') =>
  db.transaction((tx) =>
    putMail(tx, { realmId: 1, template, recipient, content: { name: 'Dan' }, nowMs: clock.now() }),
  );

function compose({ template, content }: MailJob) {
  if (template === 'broken') return Promise.reject(new Error('realm does not answer'));
  if (template === 'obsolete') return Promise.resolve(null);
  const name = content['name'] as string;
  const mail = composeMail({ subject: 'Hello', paragraphs: [`Hello ${name}`], footer: 'Bye' });
  return Promise.resolve({ ...mail, recipientName: name });
}

interface Replica {
  db?: Database;
  /** Whether it polls for mails; otherwise it has to be woken. */
  isRunning?: boolean;
  composed?: MailDeliveryDefinition['compose'];
  onRefused?: MailDeliveryDefinition['onRefused'];
}

function newReplica(
  url: string,
  { db: database = db, isRunning = false, composed = compose, onRefused }: Replica = {},
) {
  const config = { EXTERNAL_HOST: 'parley.test:9991', MAILS_PER_SECOND: 1_000 };
  const ctx = { db: database, clock, log: silentLogger, config };
  const mailer = smtpMailer(url, 30_000);
  const noting = onRefused && { onRefused };
  const delivery = createMailDelivery(ctx, { service: 'realm', mailer, compose: composed, ...noting });
  if (isRunning) delivery.start();
  deliveries.push(delivery);
  return delivery;
}

async function serve(options: SmtpTestOptions = {}, replica: Replica = {}) {
  const { url, received } = await serveSmtp(options);
  return { delivery: newReplica(url, replica), received, url };
}

const waiting = async () => (await db.query('select 1 from mail_job where given_up_at is null')).length;
const givenUp = async () => (await listUndeliveredMails(db)).mails;
const messageIdOf = ({ message }: { message: string }) => /^Message-ID: (.*)\r$/m.exec(message)?.[1];

test('a mail is sent once, from the host by default, and its row is deleted', async () => {
  const { delivery, received } = await serve();
  await put();
  expect(await delivery.runOnce()).toBe(1);
  expect(received).toMatchObject([{ from: 'noreply@parley.test', to: ['dan@example.com'] }]);
  expect(received[0]?.message).toContain('Hello Dan');
  expect(await delivery.runOnce()).toBe(0);
  expect(await waiting()).toBe(0);
});

test('a mail of a transaction that fails is never sent', async () => {
  const { delivery, received } = await serve();
  const failing = db.transaction(async (tx) => {
    await putMail(tx, { realmId: 1, template: 'greeting', recipient: 'dan@example.com', content: {}, nowMs: 0 });
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect([await delivery.runOnce(), received]).toEqual([0, []]);
});

test('a mail that is no longer needed is dropped', async () => {
  const { delivery, received } = await serve();
  await put('dan@example.com', 'obsolete');
  expect([await delivery.runOnce(), received, await waiting()]).toEqual([1, [], 0]);
});

test('a greylisted mail comes later', async () => {
  const codes = [451, 451, 250];
  const { delivery, received } = await serve({ answerRecipient: () => codes.shift() as number });
  await put();
  expect(await delivery.runOnce()).toBe(1);
  expect(await delivery.runOnce()).toBe(0);
  clock.advance(pauseMs(BACK_OFF, 1, 0) - 1);
  expect(await delivery.runOnce()).toBe(0);
  clock.advance(pauseMs(BACK_OFF, 1, 1));
  expect([await delivery.runOnce(), received]).toEqual([1, []]);
  clock.advance(pauseMs(BACK_OFF, 2, 1));
  expect(await delivery.runOnce()).toBe(1);
  expect(received).toHaveLength(1);
  expect([await waiting(), await givenUp()]).toEqual([0, []]);
});

test('a refused mail is given up at once, and listed for a month', async () => {
  const { delivery } = await serve({ answerRecipient: 550 });
  await put('nobody@example.com');
  expect(await delivery.runOnce()).toBe(1);
  expect(await waiting()).toBe(0);
  const listed = { template: 'greeting', recipient: 'nobody@example.com', attempts: 1, givenUpAtMs: clock.now() };
  expect(await givenUp()).toMatchObject([{ ...listed, error: expect.stringContaining('not today') }]);
  clock.advance(31 * 24 * 60 * MINUTE_MS);
  await put('other@example.com');
  await delivery.runOnce();
  expect(await givenUp()).toMatchObject([{ recipient: 'other@example.com' }]);
});

test('a refused recipient is noted before the mail is given up, again until that succeeds; a refused content is not', async () => {
  const noted: [string, string][] = [];
  let isDown = true;
  const onRefused = async ({ recipient }: MailJob, reason: string) => {
    noted.push([recipient, reason]);
    if (isDown) throw new Error('realm does not answer');
  };
  const { delivery } = await serve({ answerRecipient: 550 }, { onRefused });
  await put('gone@example.com');
  await delivery.runOnce();
  expect([await waiting(), await givenUp()]).toEqual([1, []]);
  isDown = false;
  clock.advance(pauseMs(BACK_OFF, 1, 1));
  await delivery.runOnce();
  expect(noted).toEqual(Array.from({ length: 2 }, () => ['gone@example.com', expect.stringContaining('not today')]));
  expect(await givenUp()).toMatchObject([{ recipient: 'gone@example.com' }]);
  const { delivery: other } = await serve({ answerData: 554 }, { onRefused });
  await put('dan@example.com');
  await other.runOnce();
  expect([noted.length, (await givenUp()).length]).toEqual([2, 2]);
});

test('a mail fits into a conversation as its composer says', async () => {
  const composed: MailDeliveryDefinition['compose'] = async () => ({
    ...composeMail({
      ...{
        subject: 'Hello',
        paragraphs: ['You'],
        footer: 'Bye',
        unsubscribeUrl: 'https://parley.test/unsubscribe/a-b',
      },
      headers: {
        ...{
          messageId: 'second@parley.test',
          inReplyTo: 'first@parley.test',
          references: ['zero@parley.test', 'first@parley.test'],
        },
        ...{ replyTo: { name: 'Dan\r\nBcc: eve@example.com', address: 'reply+1@parley.test' }, fromName: 'Dan' },
        bounceTo: 'bounce+1@parley.test',
      },
    }),
    recipientName: 'Eve',
  });
  const { delivery, received } = await serve({}, { composed });
  await put('eve@example.com');
  await delivery.runOnce();
  expect(received).toMatchObject([{ from: 'bounce+1@parley.test', to: ['eve@example.com'] }]);
  const lines = received[0]?.message
    .split('\r\n\r\n')[0]
    ?.replaceAll(/\r\n\s+/g, ' ')
    .split('\r\n');
  for (const line of [
    'From: Dan <noreply@parley.test>',
    'Reply-To: "Dan Bcc: eve@example.com" <reply+1@parley.test>',
    'Message-ID: <second@parley.test>',
    'In-Reply-To: <first@parley.test>',
    'References: <zero@parley.test> <first@parley.test>',
    'Auto-Submitted: auto-generated',
    'List-Unsubscribe: <https://parley.test/unsubscribe/a-b>',
    'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
  ]) {
    expect(lines).toContain(line);
  }
});

test('a mail that fails for twelve hours is given up, whether the server or its composition fails', async () => {
  const { delivery } = await serve({ answerData: 452 });
  await put();
  await put('dan@example.com', 'broken');
  const beganAtMs = clock.now();
  let rounds = 0;
  while ((await waiting()) > 0) {
    await delivery.runOnce();
    rounds += 1;
    if (await waiting()) clock.advance(pauseMs(BACK_OFF, rounds, 1));
  }
  expect(rounds).toBe(12);
  expect(clock.now() - beganAtMs).toBeGreaterThan(12 * 60 * MINUTE_MS);
  const given = await givenUp();
  expect(given.map(({ template, attempts }) => [template, attempts])).toEqual([
    ['greeting', 12],
    ['broken', 12],
  ]);
});

test('replicas share the mails: each is sent by one', async () => {
  const { delivery, received, url } = await serve();
  for (let n = 0; n < 20; n += 1) await put(`user${n}@example.com`);
  const counts = await Promise.all([delivery, newReplica(url), newReplica(url)].map((replica) => replica.runOnce()));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(20);
  expect(new Set(received.flatMap(({ to }) => to)).size).toBe(20);
  expect(received).toHaveLength(20);
});

test('mails claimed by a killed replica are sent by another once the lease has expired', async () => {
  const { delivery, received } = await serve();
  await put();
  await claimMails(db, { nowMs: clock.now(), leaseMs: LEASE_MS, limit: 1 });
  clock.advance(LEASE_MS - 1_000);
  expect(await delivery.runOnce()).toBe(0);
  clock.advance(1_000);
  expect(await delivery.runOnce()).toBe(1);
  expect(received).toHaveLength(1);
});

test('a mail that was sent by a replica that could not note it comes again, under the same message id', async () => {
  const { delivery, received, url } = await serve();
  await put();
  const deaf: Database = Object.assign(Object.create(db), {
    query: (sql: Statement, values: never) =>
      sql.text.startsWith('delete') ? Promise.reject(new Error('killed')) : db.query(sql, values),
  });
  const killed = newReplica(url, { db: deaf });
  expect(await killed.runOnce()).toBe(1);
  clock.advance(LEASE_MS);
  expect(await delivery.runOnce()).toBe(1);
  const ids = received.map(messageIdOf);
  expect(ids).toHaveLength(2);
  expect(ids[0]).toBe(ids[1]);
  expect(await waiting()).toBe(0);
});

test('a replica whose lease has expired leaves the mail to the new holder', async () => {
  const { delivery, url } = await serve();
  await put();
  const slow = newReplica(url, {
    async composed(job) {
      clock.advance(LEASE_MS);
      await claimMails(db, { nowMs: clock.now(), leaseMs: LEASE_MS, limit: 1 });
      return compose({ ...job, template: 'broken' });
    },
  });
  await slow.runOnce();
  clock.advance(LEASE_MS - 1);
  expect(await delivery.runOnce()).toBe(0);
  clock.advance(1);
  expect(await delivery.runOnce()).toBe(1);
});

test('mails are sent at once, until the delivery is stopped', async () => {
  const { delivery, received } = await serve({}, { isRunning: true });
  await put();
  await until(() => received.length > 0);
  await delivery.stop();
  expect([received.length, await waiting()]).toEqual([1, 0]);
  await put();
  clock.advance(10_000);
  expect(await waiting()).toBe(1);
});

test('mails that another replica has left are looked for now and then', async () => {
  await put();
  await claimMails(db, { nowMs: clock.now(), leaseMs: LEASE_MS, limit: 1 });
  const { received } = await serve({}, { isRunning: true });
  await until(() => {
    clock.advance(10_000);
    return received.length > 0;
  });
  expect(received).toHaveLength(1);
});

test('a stop does not wait for ever for a server that is slow', async () => {
  let finish = () => {};
  const slow = new Promise<null>((resolve) => {
    finish = () => resolve(null);
  });
  let isUnderWay = false;
  const composed = () => {
    isUnderWay = true;
    return slow;
  };
  const { delivery } = await serve({}, { isRunning: true, composed });
  await put();
  await until(() => isUnderWay);
  let isStopped = false;
  const stopped = delivery.stop().then(() => {
    isStopped = true;
  });
  await until(() => {
    clock.advance(10_000);
    return isStopped;
  });
  await stopped;
  expect(await waiting()).toBe(1);
  finish();
  await delivery.stop();
});

test.each([
  [1, 0, 22_500],
  [1, 1, 37_500],
  [2, 0.5, 60_000],
  [12, 0.5, 4 * 60 * MINUTE_MS],
])('after attempt %d, by chance %d, the next comes %d ms later', (attempts, chance, expected) => {
  expect(pauseMs(BACK_OFF, attempts, chance)).toBe(expected);
});

test('of many mails that are due later, a claim reads those that it takes', async () => {
  await db.query(
    `insert into mail_job (realm_id, template, recipient, content, created_at, due_at)
     select 1, 'greeting', '', '{}', now(), to_timestamp($1 / 1000.0) + interval '1 year' from generate_series(1, 20000)`,
    [clock.now()],
  );
  await put();
  await db.query('vacuum analyze mail_job');
  const { sql, plans } = observed(db);
  await claimMails(sql, { nowMs: clock.now(), leaseMs: LEASE_MS, limit: 100 });
  expect(rowsReadIn(plans)).toBeLessThan(100);
});
