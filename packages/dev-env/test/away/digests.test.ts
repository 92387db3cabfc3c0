import {
  createChannel,
  sendMessage,
  subscribe,
  updateFlags,
  updatePresence,
  updateRealm,
  updateUserSettings,
  updateUserTopic,
} from '@parley/gateway/endpoints';
import { until } from '@parley/shared/testing';
import type { TestNetwork } from '../../src';
import { type AwayNetwork, type MissedMail, startAway } from './away';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const CHANNEL = 'kitchen';

let away: AwayNetwork;
let network: TestNetwork;
beforeAll(async () => {
  away = await startAway();
  ({ network } = away);
  const { dan, eve, iris } = network;
  await iris.call(updateRealm, { digest_emails_enabled: true, digest_weekday: 1 });
  await dan.call(subscribe, { subscriptions: [{ name: CHANNEL }], principals: [dan.userId, eve.userId] });
});
afterAll(() => away.stop());

const say = async (content: string, topic: string) =>
  (await network.dan.call(sendMessage, { type: 'channel', to: CHANNEL, topic, content })).id;
const weeks = (count: number) => away.clock.advance(count * 7 * DAY_MS);

/** Moves the clock to nine o'clock of the next Tuesday; resolves with Eve's mail when all are sent. */
async function eveOnTuesday(): Promise<MissedMail | undefined> {
  const { clock } = away;
  // The clock begins on a Tuesday.
  const sinceTuesday = (clock.now() - Date.parse('2030-01-01T09:00:00Z')) % (7 * DAY_MS);
  // Dan is there before digests are sent, from eight o'clock on.
  clock.advance(7 * DAY_MS - sinceTuesday - 2 * HOUR_MS);
  await network.dan.call(updatePresence, { status: 'active' });
  clock.advance(2 * HOUR_MS);
  const day = new Date(clock.now()).toISOString().slice(0, 10);
  const isPlanned = async () => {
    clock.advance(5 * 60_000);
    const rows = await network
      .database('scheduler')
      .query('select 1 from digest_run where day = $1::date and is_done', [day]);
    return rows.length > 0;
  };
  await until(isPlanned);
  const mails = await away.mailsAfter(0);
  expect(mails.map(({ to }) => to)).not.toContain('dan@example.com');
  return mails.find(({ to }) => to === 'eve@example.com');
}

test('who was away reads once a week what was busiest, and which channels are new', async () => {
  weeks(1);
  await say('Long ago', 'old');
  weeks(2);
  await say('Soup?', 'lunch');
  await say('*With* bread', 'lunch');
  await say('Noise', 'noise');
  await say('Tiles', 'floor');
  await network.eve.call(updateUserTopic, {
    ...{ stream_id: await channelId(), topic: 'noise', visibility_policy: 1 },
  });
  await network.dan.call(createChannel, { name: 'garden', subscribers: [network.dan.userId] });
  const mail = (await eveOnTuesday()) as MissedMail;
  expect(mail.subject).toMatch(/^What you missed on /);
  expect(mail.text).toMatch(/^Since .* there are 3 messages that you have not read, in 2 conversations\.$/m);
  expect(mail.text).toMatch(/^\* #kitchen > lunch \(2 messages\)$/m);
  expect(mail.text).toContain('> Soup?');
  expect(mail.text).toContain('> With bread');
  expect(mail.text.indexOf('lunch')).toBeLessThan(mail.text.indexOf('floor'));
  expect(mail.text).toMatch(/^\* #garden\nhttps?:\/\/.*\/#narrow\/channel\/\d+-garden$/m);
  for (const absent of ['Noise', 'Long ago']) expect(mail.text).not.toContain(absent);
  expect(mail.headers['list-unsubscribe']).toMatch(/\/unsubscribe\/\w+-\w+-d-/);
});

test('in the language of the person, without texts where they must not be in mails', async () => {
  await say('Secret soup', 'lunch');
  await network.eve.call(updateUserSettings, { default_language: 'de', message_content_in_email_notifications: false });
  const mail = (await eveOnTuesday()) as MissedMail;
  expect(mail.subject).toMatch(/^Verpasst bei /);
  expect(mail.text).toMatch(/ gibt es 1 ungelesene Nachricht in 1 Unterhaltung\.$/m);
  expect(mail.text + mail.html).not.toContain('Secret soup');
  await network.eve.call(updateUserSettings, { default_language: 'en', message_content_in_email_notifications: true });
});

test('not when everything was read, nor what was read before it is sent', async () => {
  expect(await eveOnTuesday()).toBeUndefined();
  const id = await say('Read', 'lunch');
  await network.eve.call(updateFlags, { messages: [id], op: 'add', flag: 'read' });
  expect(await eveOnTuesday()).toBeUndefined();
});

test('not to who is there, nor to who wants none', async () => {
  const { eve } = network;
  await say('Hello', 'lunch');
  await eve.call(updateUserSettings, { enable_digest_emails: false });
  expect(await eveOnTuesday()).toBeUndefined();
  await eve.call(updateUserSettings, { enable_digest_emails: true });
  await say('Hello again', 'lunch');
  expect(await eveOnTuesday()).toMatchObject({ text: expect.stringContaining('Hello again') });
  await say('Once more', 'lunch');
  away.clock.advance(3 * DAY_MS);
  await eve.call(updatePresence, { status: 'active' });
  expect(await eveOnTuesday()).toBeUndefined();
});

async function channelId(): Promise<number> {
  const [row] = await network
    .database('realm')
    .query<{ id: number }>('select id from channel where name = $1', [CHANNEL]);
  return Number(row?.id);
}
