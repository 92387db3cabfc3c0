import {
  archiveChannel,
  createChannel,
  deactivateUser,
  editMessage,
  getChannelEmailAddress,
  getMessage,
  sendMessage,
  unsubscribe,
} from '@parley/gateway/endpoints';
import { type AnsweredConversation, putReplyAddress } from '@parley/scheduler/reply-addresses/reply-addresses';
import { freePort } from '@parley/shared/embedded';
import { serveMetrics } from '@parley/shared/observability';
import { systemClock } from '@parley/shared/values';
import { eg, type TestClient, TestNetwork } from '../../src';
import { deliver, deliverTo } from './deliver-mail';

const DOMAIN = 'in.parley.test';
const KEY = 'what the addresses of a test network are made of';
let network: TestNetwork;
let lmtp: string;

beforeAll(async () => {
  lmtp = `127.0.0.1:${await freePort()}`;
  const settings = { LMTP_LISTEN: lmtp, MAIL_IN_DOMAIN: DOMAIN, MAIL_IN_KEY: KEY, MAIL_IN_MAX_SIZE_MIB: '2' };
  network = await TestNetwork.create({ settings });
});
afterAll(() => network.stop());

const OK = expect.objectContaining({ code: 250 });
const refused = (code: number, text: string) => ({ code, text: expect.stringContaining(text) });
const NO_SUCH = refused(550, '5.1.1 There is no such address');

/** The addresses that a mail to the user about that conversation has. */
async function addressesOf(user: TestClient, conversation: AnsweredConversation, messageId: number) {
  const config = { MAIL_IN_DOMAIN: DOMAIN, MAIL_IN_KEY: KEY } as never;
  const made = await network.database('scheduler').transaction((tx) => {
    const { realmId, userId } = user;
    return putReplyAddress({ config, clock: systemClock }, tx, { realmId, userId, conversation, messageId });
  });
  return made as { replyTo: string; bounceTo: string };
}

/** A message of Eve's in #general, and where Dan replies to it. */
async function askedByEve(topic: string) {
  const { eve, dan } = network;
  const { id } = await eve.call(sendMessage, { type: 'channel', to: eg.general, topic, content: 'Soup, anyone?' });
  const { stream_id: channelId } = (await eve.call(getMessage, { message_id: id })).message as { stream_id: number };
  const { replyTo } = await addressesOf(dan, { channelId, topic }, id);
  return { id, channelId, replyTo };
}

/** What the queue has got of messages. */
async function messagesIn(queue: Awaited<ReturnType<TestClient['events']>>) {
  await network.settle();
  const events = await queue.rest();
  return events.filter(({ type }) => type === 'message').map(({ message }) => message as Record<string, unknown>);
}

test('a reply becomes a message of the person in the topic, without what it quotes', async () => {
  const { dan, eve } = network;
  const { replyTo } = await askedByEve('Lunch');
  const queue = await eve.events({ event_types: ['message'], apply_markdown: false });
  const text = 'Yes, *please*!\n\nOn Mon, Nov 3, 2025 at 10:00 AM Eve wrote:\n> Soup, anyone?\n\n-- \nDan Brooks\n';
  expect(await deliverTo(lmtp, { to: replyTo, from: 'dan@private.example', text })).toEqual(OK);
  expect(await messagesIn(queue)).toMatchObject([
    {
      sender_id: dan.userId,
      subject: 'Lunch',
      display_recipient: 'general',
      content: 'Yes, *please*!',
      client: 'Email',
    },
  ]);
});

test('a reply to a direct conversation goes to all who take part; it follows a topic that was moved', async () => {
  const { dan, eve, iris } = network;
  const ids = [dan.userId, eve.userId, iris.userId];
  const { id } = await eve.call(sendMessage, { type: 'direct', to: ids, content: 'Psst' });
  const { replyTo } = await addressesOf(dan, { participantIds: ids }, id);
  const queue = await iris.events({ event_types: ['message'], apply_markdown: false });
  expect(await deliverTo(lmtp, { to: replyTo, text: 'What?' })).toEqual(OK);

  const asked = await askedByEve('Before');
  await iris.call(editMessage, { message_id: asked.id, topic: 'After', propagate_mode: 'change_all' });
  expect(await deliverTo(lmtp, { to: asked.replyTo, text: 'There' })).toEqual(OK);
  const got = await messagesIn(queue);
  expect(got.filter(({ sender_id }) => sender_id === dan.userId)).toMatchObject([
    { type: 'private', content: 'What?' },
    { type: 'stream', content: 'There', subject: 'After' },
  ]);
});

test('mail to a channel’s address is posted by the notification bot, with its sender and its files', async () => {
  const { dan, eve } = network;
  const { channelId } = await askedByEve('Mail');
  const { email } = await dan.call(getChannelEmailAddress, { stream_id: channelId });
  expect(email).toMatch(/^general\.c[a-z2-7]{26}\.show-sender@in\.parley\.test$/);
  const queue = await eve.events({ event_types: ['message'], apply_markdown: false });
  const attachments = [{ filename: 'menu [1].txt', content: 'Soup of the day' }];
  const mail = {
    from: 'Bo *Cook* <bo@kitchen.example>',
    subject: 'Re: Fwd: Menu',
    text: 'See @**all** below',
    attachments,
  };
  expect(await deliverTo(lmtp, { ...mail, to: email })).toEqual(OK);
  const [message] = await messagesIn(queue);
  expect(message).toMatchObject({ subject: 'Menu', sender_full_name: 'Notification Bot' });
  const content = message?.['content'] as string;
  expect(content).toMatch(
    /^\*\*From:\*\* Bo Cook \(bo@kitchen\.example\)\n\nSee @_\*\*all\*\* below\n\n\[menu 1 \.txt\]\(\/user_uploads\/[^)]+\)$/,
  );
  const [, url = ''] = /\((\/user_uploads\/[^)]+)\)/.exec(content) as string[];
  const file = await eve.callRaw({ method: 'GET', path: url });
  expect([file.status, file.text]).toEqual([200, 'Soup of the day']);
});

test('a mail in HTML alone becomes Markdown; in the name of a user or bot it has their rights', async () => {
  const { dan, eve, robo } = network;
  const { channelId } = await askedByEve('HTML');
  const { email } = await dan.call(getChannelEmailAddress, { stream_id: channelId, sender_id: robo.userId });
  const queue = await eve.events({ event_types: ['message'], apply_markdown: false });
  const html =
    '<style>p{}</style><h2>Menu</h2><p>Soup <b>of</b> the <a href="https://example.org/day">day</a></p><img src="x">';
  expect(await deliverTo(lmtp, { to: email.replace('.show-sender', ''), html, subject: '' })).toEqual(OK);
  expect(await messagesIn(queue)).toMatchObject([
    {
      sender_id: robo.userId,
      subject: 'general chat',
      content: '## Menu\n\nSoup **of** the [day](https://example.org/day)',
    },
  ]);
});

test('unknown, ended and lost addresses are refused before the mail is sent, alike', async () => {
  const { dan, iris, eve } = network;
  const { replyTo, channelId } = await askedByEve('Refused');
  const random = `reply.r${'a'.repeat(26)}@${DOMAIN}`;
  for (const to of [
    random,
    `general@${DOMAIN}`,
    `c${'a'.repeat(26)}@${DOMAIN}`,
    replyTo.replace(DOMAIN, 'other.test'),
  ]) {
    expect(await deliverTo(lmtp, { to, text: 'x' })).toEqual(NO_SUCH);
  }
  const { stream_id: secret } = await createSecret(iris, dan);
  const { email } = await dan.call(getChannelEmailAddress, { stream_id: secret });
  const { id } = await iris.call(sendMessage, { type: 'channel', to: secret, topic: 'x', content: 'x' });
  const toTopic = await addressesOf(dan, { channelId: secret, topic: 'x' }, id);
  expect(await deliver(lmtp, { to: [email, toTopic.replyTo], text: 'x' })).toEqual([OK, OK]);
  await iris.call(unsubscribe, { subscriptions: ['hush'], principals: [dan.userId] });
  expect(await deliver(lmtp, { to: [email, toTopic.replyTo], text: 'y' })).toEqual([NO_SUCH, NO_SUCH]);

  await network
    .database('scheduler')
    .query('update reply_address set ends_at = now() where user_id = $1', [dan.userId]);
  expect(await deliverTo(lmtp, { to: replyTo, text: 'x' })).toEqual(NO_SUCH);
  const own = await eve.call(getChannelEmailAddress, { stream_id: channelId });
  expect(await deliverTo(lmtp, { to: own.email, text: 'x' })).toEqual(OK);
});

const createSecret = async (owner: TestClient, member: TestClient) => {
  const { id } = await owner.call(createChannel, {
    ...{ name: 'hush', description: '', subscribers: [owner.userId, member.userId] },
    invite_only: true,
  });
  return { stream_id: id };
};

test('mails of programs are no replies, and nothing without a return path is a message', async () => {
  const { eve, dan } = network;
  const { replyTo, channelId } = await askedByEve('Loops');
  const { email } = await dan.call(getChannelEmailAddress, { stream_id: channelId });
  const queue = await eve.events({ event_types: ['message'] });
  const absent = { 'Auto-Submitted': 'auto-replied' };
  expect(await deliver(lmtp, { to: [replyTo, email], text: 'I am away', headers: absent })).toEqual([OK, OK]);
  expect(await deliver(lmtp, { to: [replyTo, email], text: 'Sorry', envelopeFrom: '' })).toEqual([OK, OK]);
  const own = '<scheduler-1-2-3@parley.test>';
  expect(await deliver(lmtp, { to: [replyTo, email], text: 'Ours', messageId: own })).toEqual([OK, OK]);
  expect(await deliverTo(lmtp, { to: replyTo, text: 'List', headers: { Precedence: 'bulk' } })).toEqual(OK);
  expect(await messagesIn(queue)).toEqual([]);
});

test('the same mail to the same address is one message, however often it comes', async () => {
  const { eve } = network;
  const [one, two] = [await askedByEve('Once'), await askedByEve('Twice')];
  const queue = await eve.events({ event_types: ['message'], apply_markdown: false });
  const mail = { messageId: '<once@example.org>', text: 'Once', attachments: [{ filename: 'a.txt', content: 'a' }] };
  for (const _ of [1, 2]) expect(await deliver(lmtp, { ...mail, to: [one.replyTo, two.replyTo] })).toEqual([OK, OK]);
  const unnamed = { raw: 'From: a@example.org\r\nDate: Mon, 3 Nov 2025 10:00:00 +0000\r\nSubject: x\r\n\r\nNo id\r\n' };
  for (const _ of [1, 2]) expect(await deliverTo(lmtp, { ...unnamed, to: one.replyTo })).toEqual(OK);
  const got = await messagesIn(queue);
  expect(got.map(({ subject, content }) => [subject, (content as string).split('\n')[0]])).toEqual([
    ['Once', 'Once'],
    ['Twice', 'Once'],
    ['Once', 'No id'],
  ]);
});

/** A report as mail servers send them. */
function report(address: string, status: string): string {
  return [
    ...['From: MAILER-DAEMON@mx.example', 'Subject: Undelivered', 'MIME-Version: 1.0'],
    'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
    ...['', '--b', 'Content-Type: text/plain', '', 'It was not delivered.'],
    ...['--b', 'Content-Type: message/delivery-status', '', 'Reporting-MTA: dns; mx.example', ''],
    ...[`Final-Recipient: rfc822; ${address}`, 'Action: failed', `Status: ${status}`],
    ...['Diagnostic-Code: smtp; 550 No such user', '--b--', ''],
  ].join('\r\n');
}

test('a report that a person’s address does not exist ends mails to it; one about another address or a full mailbox does not', async () => {
  const { eve, dan } = network;
  const { id } = await eve.call(sendMessage, { type: 'direct', to: [dan.userId], content: 'Hello?' });
  const { bounceTo } = await addressesOf(dan, { participantIds: [dan.userId, eve.userId] }, id);
  const bounces = () => network.database('realm').query('select address, reason from mail_bounce');
  const raws = [report(dan.email, '5.2.2'), report('other@example.com', '5.1.1'), 'Subject: hm\r\n\r\nNo report\r\n'];
  for (const raw of raws) expect(await deliverTo(lmtp, { to: bounceTo, envelopeFrom: '', raw })).toEqual(OK);
  expect(await bounces()).toEqual([]);
  const raw = report(dan.email, '5.1.1');
  for (const _ of [1, 2]) expect(await deliverTo(lmtp, { to: bounceTo, envelopeFrom: '', raw })).toEqual(OK);
  expect(await bounces()).toEqual([{ address: dan.email, reason: '550 No such user' }]);
});

test('what messages refuse is refused with the reason, for that recipient only', async () => {
  const { iris, dan } = network;
  const { replyTo } = await askedByEve('Reasons');
  expect(await deliverTo(lmtp, { to: replyTo, text: '> nothing but a quote\n' })).toEqual(
    refused(550, '5.6.0 The mail has no text of its own'),
  );
  const { id } = await iris.call(createChannel, { name: 'short-lived', description: '', subscribers: [dan.userId] });
  const { email } = await dan.call(getChannelEmailAddress, { stream_id: id, sender_id: dan.userId });
  await iris.callRaw({
    ...{ method: 'PATCH', path: `/api/v1/streams/${id}` },
    form: { can_create_topic_group: JSON.stringify({ new: { direct_members: [iris.userId], direct_subgroups: [] } }) },
  });
  expect(await deliver(lmtp, { to: [email, replyTo], text: 'Here', subject: 'New' })).toEqual([
    refused(550, '5.7.1 You do not have permission to create new topics in this channel.'),
    OK,
  ]);
  await iris.call(archiveChannel, { stream_id: id });
  expect(await deliverTo(lmtp, { to: email, text: 'x' })).toEqual(NO_SUCH);
});

test('long mails are shortened, broken ones are read as far as possible, hostile ones are answered', async () => {
  const { eve } = network;
  const { replyTo: to } = await askedByEve('Hostile');
  const queue = await eve.events({ event_types: ['message'], apply_markdown: false });
  const head = 'From: a@example.org\r\nMIME-Version: 1.0\r\n';
  const raw = (rest: string | Buffer) =>
    deliverTo(lmtp, { to, raw: Buffer.concat([Buffer.from(head), Buffer.from(rest)]) });
  expect(await deliverTo(lmtp, { to, text: 'word '.repeat(5_000) })).toEqual(OK);
  expect(await raw('Content-Type: text/plain; charset=x-none\r\n\r\nGr\u00fc\u00dfe\r\n')).toEqual(OK);
  expect(
    await raw(Buffer.from('Content-Type: text/plain; charset=iso-8859-1\r\n\r\nGr\xfc\xdfe aus K\xf6ln', 'latin1')),
  ).toEqual(OK);
  expect(await raw(`Content-Type: text/html\r\n\r\n${'<div>'.repeat(2_000)}deep`)).toEqual(
    expect.objectContaining({ code: expect.any(Number) }),
  );
  const got = (await messagesIn(queue)).map(({ content }) => content as string);
  expect(got[0]).toMatch(/\*\(The mail is longer\.\)\*$/);
  expect(got[0]?.length).toBeLessThanOrEqual(10_000);
  expect(got[1]).toMatch(/^Gr/);
  expect(got[2]).toBe('Grüße aus Köln');

  const unreadable = refused(554, '5.6.0 The mail cannot be read');
  const part = '--b\r\nContent-Type: text/plain\r\n\r\nx\r\n';
  expect(await raw(`Content-Type: multipart/mixed; boundary=b\r\n\r\n${part.repeat(10_000)}--b--\r\n`)).toEqual(
    unreadable,
  );
  expect(await raw(`X-Long: ${'x'.repeat(500_000)}\r\n\r\nx`)).toEqual(unreadable);
  expect(await raw(`\r\n${'x'.repeat(2 * 1024 * 1024)}`)).toEqual(refused(552, ''));
  expect(await deliverTo(lmtp, { to, text: 'Still there' })).toEqual(OK);
  expect((await messagesIn(queue)).at(-1)).toMatchObject({ content: 'Still there' });
});

test('metrics count what came of mails, and of addresses that are refused', async () => {
  const metrics = await serveMetrics('127.0.0.1:0');
  const read = async () => {
    const lines = (await (await fetch(`http://${metrics.address}/metrics`)).text()).split('\n');
    return (labels: string) => {
      const series = `parley_mail_in_seconds_count{${labels}} `;
      return Number(lines.find((line) => line.startsWith(series))?.slice(series.length) ?? 0);
    };
  };
  const { replyTo } = await askedByEve('Counted');
  const before = await read();
  await deliverTo(lmtp, { to: replyTo, text: 'Counted' });
  await deliverTo(lmtp, { to: replyTo, text: 'I am away', headers: { 'Auto-Submitted': 'auto-replied' } });
  await deliverTo(lmtp, { to: replyTo.replace('reply.r', 'reply.ra'), text: 'x' });
  const after = await read();
  for (const labels of [
    'kind="reply",outcome="sent"',
    'kind="reply",outcome="dropped"',
    'kind="none",outcome="5.1.1"',
  ]) {
    expect([labels, after(labels) - before(labels)]).toEqual([labels, 1]);
  }
  await metrics.stop();
});

test('while a service is away the mail server is told to come again; a deactivated person’s addresses end', async () => {
  const { eve, iris, dan } = network;
  const { replyTo } = await askedByEve('Away');
  const [scheduler] = network.replicas.scheduler;
  await scheduler?.stop();
  const later = deliverTo(lmtp, { to: replyTo, messageId: '<later@example.org>', text: 'Later' });
  expect(await later).toEqual(refused(451, '4.3.0 Try again later'));
  await scheduler?.start();
  const queue = await eve.events({ event_types: ['message'], apply_markdown: false });
  expect(await deliverTo(lmtp, { to: replyTo, messageId: '<later@example.org>', text: 'Later' })).toEqual(OK);
  expect(await messagesIn(queue)).toMatchObject([{ content: 'Later' }]);
  await iris.call(deactivateUser, { user_id: dan.userId });
  expect(await deliverTo(lmtp, { to: replyTo, text: 'x' })).toEqual(NO_SUCH);
});
