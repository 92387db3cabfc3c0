import {
  addAlertWords,
  deleteMessage,
  editMessage,
  muteUser,
  sendMessage,
  subscribe,
  updateFlags,
  updatePresence,
  updateRealm,
  updateSubscriptionProperties,
  updateUserSettings,
  updateUserTopic,
} from '@parley/gateway/endpoints';
import type { TestClient, TestNetwork } from '../../src';
import type { MailServer } from '../mail-server';
import { type AwayNetwork, BATCHING_MS, type MissedMail, startAway } from './away';

let away: AwayNetwork;
let network: TestNetwork;
let server: MailServer;
let mailsAfter: AwayNetwork['mailsAfter'];
beforeAll(async () => {
  away = await startAway();
  ({ network, server, mailsAfter } = away);
});
afterAll(() => away.stop());

/** Each test has a channel of its own, with Dan, Eve and Iris. */
let channel: string;
let count = 0;
beforeEach(async () => {
  const { dan, eve, iris } = network;
  count += 1;
  channel = `team ${count}`;
  await dan.call(subscribe, { subscriptions: [{ name: channel }], principals: [dan.userId, eve.userId, iris.userId] });
  // Notices about the new channel.
  await mailsAfter(BATCHING_MS);
});

const toEve = async (content: string) =>
  (await network.dan.call(sendMessage, { type: 'direct', to: [network.eve.userId], content })).id;
const toTopic = async (content: string, topic = 'lunch', sender: TestClient = network.dan) =>
  (await sender.call(sendMessage, { type: 'channel', to: channel, topic, content })).id;
const after = () => mailsAfter(BATCHING_MS);
const brief = (mails: readonly MissedMail[]) => mails.map(({ to, subject }) => [to, subject]);

test('a direct message to somebody away is mailed once, with what its sender said and where', async () => {
  const id = await toEve('Soup at *noon*?\n\n```spoiler Which\nThe green one\n```');
  expect(await mailsAfter(BATCHING_MS - 1_000)).toEqual([]);
  const [mail, ...others] = (await mailsAfter(1_000)) as [MissedMail];
  expect(others).toEqual([]);
  expect([mail.to, mail.subject]).toEqual(['eve@example.com', 'Direct messages with Dan Brooks']);
  expect(mail.text).toContain('> Soup at noon?');
  expect(mail.text).not.toContain('The green one');
  expect(mail.text).toContain(`/#narrow/dm/${network.dan.userId},${network.eve.userId}-dm/near/${id}`);
  expect(mail.text).toContain('because you have new direct messages. Replies to this mail are not read.');
  expect(mail.html).not.toMatch(/<img|<script/);
  expect(mail.headers).toMatchObject({
    'auto-submitted': 'auto-generated',
    'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
    'list-unsubscribe': expect.stringMatching(/^<http.*\/unsubscribe\/.+>$/),
    'in-reply-to': expect.stringMatching(/^<conversation-.*@.+>$/),
  });
  expect(await mailsAfter(10 * BATCHING_MS)).toEqual([]);
});

test('mails about a conversation are a thread, and others another one', async () => {
  await toEve('One');
  const [first] = (await after()) as [MissedMail];
  await toEve('Two');
  const [second] = (await after()) as [MissedMail];
  await toTopic('@**Eve Castillo**');
  const [other] = (await after()) as [MissedMail];
  const threads = [first, second, other].map(({ headers }) => headers['references']);
  expect(threads[0]).toBe(threads[1]);
  expect(threads[2]).not.toBe(threads[0]);
  expect(new Set([first, second, other].map(({ headers }) => headers['message-id'])).size).toBe(3);
});

test('a mail has what its messages are when it is sent', async () => {
  const { dan, eve } = network;
  const [read, deleted, edited] = [
    await toEve('Read'),
    await toTopic('@**Eve Castillo** deleted'),
    await toEve('Fist'),
  ];
  const moved = await toTopic('@**Eve Castillo** see there');
  await eve.call(updateFlags, { messages: [read], op: 'add', flag: 'read' });
  await network.iris.call(deleteMessage, { message_id: deleted });
  await dan.call(editMessage, { message_id: edited, content: 'First' });
  await dan.call(editMessage, { message_id: moved, topic: 'dinner', send_notification_to_new_thread: false });
  const mails = await after();
  expect(mails.map(({ subject }) => subject).sort()).toEqual([
    `#${channel} > dinner`,
    'Direct messages with Dan Brooks',
  ]);
  const direct = mails.find(({ subject }) => subject.startsWith('Direct')) as MissedMail;
  expect(direct.text.match(/^> .*$/gm)).toEqual(['> First']);
});

test('what is read or deleted is not mailed', async () => {
  const [read, deleted] = [await toEve('Read'), await toTopic('@**Eve Castillo** deleted')];
  await network.eve.call(updateFlags, { messages: [read], op: 'add', flag: 'read' });
  await network.iris.call(deleteMessage, { message_id: deleted });
  expect(await after()).toEqual([]);
});

test('a mention that an edit adds is mailed once, and one that it takes back is not', async () => {
  const { dan, eve, iris } = network;
  const edit = (message_id: number, content: string) => dan.call(editMessage, { message_id, content });
  const added = await toTopic('Who knows?', 'added');
  const removed = await toTopic('@**Eve Castillo** not you', 'removed');
  const other = await toTopic('Hello', 'wildcard');
  await after();
  await edit(added, '@**Eve Castillo** knows?');
  await edit(added, '@**Eve Castillo** knows it?');
  await edit(removed, 'Not @**Eve Castillo** again');
  const [first, ...others] = (await after()) as [MissedMail];
  expect(brief([first, ...others])).toEqual([['eve@example.com', `#${channel} > added`]]);
  expect(first.text).toContain('> @Eve Castillo knows it?');
  expect(first.text).toContain('you were mentioned');
  await edit(added, '@**Eve Castillo** knows it, too?');
  expect(await after()).toEqual([]);
  const [taken, kept] = [await toTopic('@**Eve Castillo** no', 'taken'), await toTopic('@**all** no', 'taken')];
  await edit(taken, 'no');
  await edit(kept, 'no, nobody');
  await edit(other, '@**all** hello');
  expect(brief(await after()).sort()).toEqual([eve, iris].map(({ email }) => [email, `#${channel} > wildcard`]).sort());
});

test('what is muted before it is mailed is not mailed, but for a mention by name', async () => {
  const { eve } = network;
  const stream_id = await channelIdOf(channel);
  await toTopic('@**all** muted', 'muted');
  await toTopic('@**all** heard', 'heard');
  await toTopic('@**Eve Castillo** muted by name', 'named');
  await eve.call(updateUserTopic, { stream_id, topic: 'muted', visibility_policy: 1 });
  await eve.call(updateUserTopic, { stream_id, topic: 'named', visibility_policy: 1 });
  const subjects = async () => (await after()).filter(({ to }) => to === 'eve@example.com').map((mail) => mail.subject);
  expect((await subjects()).sort()).toEqual([`#${channel} > heard`, `#${channel} > named`]);
  await toTopic('@**all** not heard', 'another');
  await toTopic('@**all** heard', 'heard');
  await eve.call(updateUserTopic, { stream_id, topic: 'heard', visibility_policy: 2 });
  const property = { stream_id, property: 'is_muted' as const, value: true };
  await eve.call(updateSubscriptionProperties, { subscription_data: [property] });
  expect(await subjects()).toEqual([`#${channel} > heard`]);
});

test('somebody who is active gets no mail until they are away', async () => {
  const { eve } = network;
  const report = () => eve.call(updatePresence, { status: 'active', ping_only: true });
  await toEve('Are you there?');
  await mailsAfter(BATCHING_MS - 60_000);
  await report();
  expect(await mailsAfter(60_000)).toEqual([]);
  const mails = await mailsAfter(10 * 60_000);
  expect(brief(mails)).toEqual([['eve@example.com', 'Direct messages with Dan Brooks']]);
});

test('a storm of conversations is one mail', async () => {
  for (let n = 1; n <= 30; n += 1) await toTopic('@**Eve Castillo**', `topic ${n}`);
  const [mail, ...others] = (await after()) as [MissedMail];
  expect([mail.subject, others]).toEqual(['30 new messages in 30 conversations', []]);
  expect(mail.text).toContain(`* #${channel} > topic 20`);
  expect(mail.text).toContain('* 10 more conversations');
  expect(mail.headers['in-reply-to']).toBeUndefined();
});

test('everybody who is mentioned by a wildcard gets a mail, but the sender and those who have muted topic or sender', async () => {
  const { iris, eve, dan } = network;
  await toTopic('@**all** hello');
  expect(brief(await after())).toEqual([
    ['eve@example.com', `#${channel} > lunch`],
    ['iris@example.com', `#${channel} > lunch`],
  ]);
  const stream_id = await channelIdOf(channel);
  await eve.call(updateUserTopic, { stream_id, topic: 'lunch', visibility_policy: 1 });
  await iris.call(muteUser, { muted_user_id: dan.userId });
  await toTopic('@**all** again');
  expect(await after()).toEqual([]);
  // A mention by name passes through the muted topic.
  await toTopic('@**Eve Castillo**, @_**Iris Abara**');
  expect(brief(await after())).toEqual([['eve@example.com', `#${channel} > lunch`]]);
  await network.database('realm').query('delete from muted_user');
});

async function channelIdOf(name: string): Promise<number> {
  const [row] = await network.database('realm').query<{ id: number }>('select id from channel where name = $1', [name]);
  return row?.id as number;
}

test('alert words are looked for', async () => {
  await network.eve.call(addAlertWords, { alert_words: ['soup'] });
  await toTopic('There is Soup!');
  await toTopic('There are soups');
  const [mail, ...others] = (await after()) as [MissedMail];
  expect(others).toEqual([]);
  expect(mail.text).toContain('because one of your alert words was used');
  expect(mail.text.match(/^> .*$/gm)).toEqual(['> There is Soup!']);
});

describe('settings', () => {
  const reset = {
    message_content_in_email_notifications: true,
    enable_offline_email_notifications: true,
    realm_name_in_email_notifications_policy: 1,
    default_language: 'en',
  };
  afterEach(async () => {
    await network.eve.call(updateUserSettings, reset);
    await network.iris.call(updateRealm, { message_content_allowed_in_email_notifications: true });
  });

  test.each(['person', 'organization'])('the %s may forbid that mails quote messages', async (who) => {
    if (who === 'person') await network.eve.call(updateUserSettings, { message_content_in_email_notifications: false });
    else await network.iris.call(updateRealm, { message_content_allowed_in_email_notifications: false });
    await toEve('A secret');
    const [mail] = (await after()) as [MissedMail];
    expect(mail.text + mail.html).not.toContain('secret');
    expect(mail.text).toContain('From Dan Brooks');
    expect(mail.text).toContain('/near/');
  });

  test('subjects name the organization, if the person wants that', async () => {
    await network.eve.call(updateUserSettings, { realm_name_in_email_notifications_policy: 2 });
    await toEve('Hello');
    expect(brief(await after())).toEqual([['eve@example.com', 'Direct messages with Dan Brooks [Home]']]);
  });

  test('mails are in the person’s language', async () => {
    await network.eve.call(updateUserSettings, { default_language: 'de' });
    await toEve('Hello');
    expect(brief(await after())).toEqual([['eve@example.com', 'Direktnachrichten mit Dan Brooks']]);
  });

  test('mails are sent when the person’s period is over', async () => {
    await network.eve.call(updateUserSettings, { email_notifications_batching_period_seconds: 10 });
    await toEve('Hello');
    expect(await mailsAfter(10_000)).toHaveLength(1);
    await network.eve.call(updateUserSettings, { email_notifications_batching_period_seconds: BATCHING_MS / 1_000 });
  });

  test('the link of a mail ends such mails at once', async () => {
    await toEve('Hello');
    const [mail] = (await after()) as [MissedMail];
    const url = new URL(mail.headers['list-unsubscribe']?.slice(1, -1) as string);
    const answer = await network.eve.callRaw({
      method: 'POST',
      path: url.pathname,
      headers: { authorization: null, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    });
    expect(answer.status).toBe(200);
    await toEve('Hello?');
    expect(await after()).toEqual([]);
  });

  test('mails that are switched off while they wait for somebody active are not sent', async () => {
    const { eve } = network;
    await toEve('Hello');
    await toTopic('@**Eve Castillo**', 'elsewhere');
    await mailsAfter(BATCHING_MS - 60_000);
    await eve.call(updatePresence, { status: 'active', ping_only: true });
    expect(await mailsAfter(60_000)).toEqual([]);
    await eve.call(updateUserSettings, { enable_offline_email_notifications: false });
    expect(await mailsAfter(10 * 60_000)).toEqual([]);
  });

  test('without mails about direct messages and mentions, there are none', async () => {
    await network.eve.call(updateUserSettings, { enable_offline_email_notifications: false });
    await toEve('Hello');
    await toTopic('@**Eve Castillo**', 'elsewhere');
    expect(await after()).toEqual([]);
  });
});

test('an address that a mail server has refused gets no more mails', async () => {
  server.refused.add('iris@example.com');
  const send = () => network.dan.call(sendMessage, { type: 'direct', to: [network.iris.userId], content: 'Hello' });
  await send();
  expect(await after()).toEqual([]);
  server.refused.clear();
  await send();
  expect(await after()).toEqual([]);
  expect(await network.database('realm').query('select from mail_bounce')).toHaveLength(1);
});
