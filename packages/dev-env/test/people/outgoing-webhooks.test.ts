import { execFile, spawnSync } from 'node:child_process';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { WEBHOOK_JAVASCRIPT, WEBHOOK_PYTHON } from '@parley/gateway/docs-page/webhook-guide';
import {
  createBot,
  createGroup,
  deactivateBot,
  findChannel,
  getMessages,
  sendMessage,
  subscribe,
} from '@parley/gateway/endpoints';
import { runCommand } from '@parley/operator/run-command';
import { createFakeClock, until } from '@parley/shared/testing';
import { Webhook } from 'standardwebhooks';
import { type EventQueue, TestNetwork } from '../../src';
import { operatorConfig } from '../operator/operator-config';

interface Received {
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

type Responder = (response: ServerResponse) => void;

const say = (answer: unknown, status = 200): Responder => {
  return (response) => response.writeHead(status).end(typeof answer === 'string' ? answer : JSON.stringify(answer));
};
const clock = createFakeClock();
const received: Received[] = [];
let answers: Responder[] = [];
/** Calls that have come in, and whose ends the caller has not seen. */
let underWay = 0;
const receiver = createServer(async (request, response) => {
  underWay += 1;
  response.once('close', () => {
    underWay -= 1;
  });
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  received.push({ url: request.url as string, headers: request.headers, body: Buffer.concat(chunks).toString() });
  (answers.shift() ?? say({ response_not_required: true }))(response);
});
let network: TestNetwork;
let origin: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const settings = {
    OUTGOING_ALLOW: '127.0.0.1',
    OUTGOING_WEBHOOK_TIMEOUT_SECS: '1',
  };
  network = await TestNetwork.create({ clock, settings, replicas: { scheduler: 2 } });
});
afterAll(async () => {
  await network.stop();
  receiver.closeAllConnections();
  receiver.close();
});
beforeEach(() => {
  received.length = 0;
  answers = [];
});

let botCount = 0;

async function makeBot(format = 1, url = `${origin}/hook`) {
  botCount += 1;
  const name = `Hook ${botCount}`;
  const { user_id: id } = await network.dan.call(createBot, {
    full_name: name,
    short_name: `hook${botCount}`,
    bot_type: 3,
    payload_url: url,
    interface_type: format,
  });
  return { id, name };
}

const follow = () => network.dan.events({ event_types: ['message'], apply_markdown: false });
const toLeads = (content: string) => ({ type: 'channel', to: 'leads', topic: 'plans', content }) as const;
const toBot = (id: number, content: string) => ({ type: 'direct' as const, to: [id], content });

/** The next message of the bot's, in a few words. */
async function nextOf(queue: EventQueue, botId: number): Promise<Record<string, unknown>> {
  for (;;) {
    const { message } = (await queue.next('message')) as unknown as { message: Record<string, unknown> };
    if (message['sender_id'] === botId) return message;
  }
}

/** The operator's command. */
function admin(...words: string[]): Promise<string> {
  return runCommand(words, operatorConfig(network));
}

type Call = [headers: object, body: string, secret: string];

const inJavaScript = (call: Call) => `${WEBHOOK_JAVASCRIPT}
Date.now = () => ${clock.now()};
console.log(isGenuine(...${JSON.stringify(call)}));`;

const inPython = (call: Call) => `${WEBHOOK_PYTHON}
import json
time.time = lambda: ${clock.now() / 1_000}
headers, body, secret = json.loads(${JSON.stringify(JSON.stringify(call))})
print(json.dumps(is_genuine(headers, body.encode(), secret)))`;

const hasPython = spawnSync('python3', ['--version']).status === 0;
if (!hasPython) console.warn('skipped: no python3 to run the example of the guide');

/** Runs the guide's examples at the time of the network's clock. */
async function runExamples(call: Call): Promise<string[]> {
  const run = promisify(execFile);
  const results = await Promise.all([
    run(process.execPath, ['--input-type=module', '-e', inJavaScript(call)]),
    ...(hasPython ? [run('python3', ['-c', inPython(call)])] : []),
  ]);
  return results.map(({ stdout }) => stdout.trim());
}

/**
 * Advances the clock by the pauses of retries until that many calls have arrived; not during a call, which would outlive its
 * lease.
 */
async function untilReceived(count: number): Promise<void> {
  await until(() => {
    if (received.length >= count) return true;
    if (underWay === 0) clock.advance(1_000);
    return false;
  });
}

test('a bot that is mentioned in a channel which it is not in is called, and answers there, once', async () => {
  const { dan, eve } = network;
  const bot = await makeBot();
  const queue = await follow();
  answers = [say({ content: 'Soup, *of course*' })];
  const { id } = await dan.call(sendMessage, toLeads(`@**${bot.name}** what is for lunch?`));
  expect(await nextOf(queue, bot.id)).toMatchObject({
    content: 'Soup, *of course*',
    subject: 'plans',
    display_recipient: 'leads',
    client: 'OutgoingWebhookResponse',
  });
  expect(received).toHaveLength(1);
  const [call] = received as [Received];
  expect(call.headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': 'ParleyOutgoingWebhook/0.1.0',
  });
  const body = JSON.parse(call.body);
  expect(body).toEqual({
    data: `@**${bot.name}** what is for lunch?`,
    bot_email: expect.stringMatching(/^hook\d+-bot@/),
    bot_full_name: bot.name,
    token: expect.stringMatching(/^\w{32}$/),
    trigger: 'mention',
    message: expect.objectContaining({
      id,
      type: 'stream',
      content: `@**${bot.name}** what is for lunch?`,
      content_type: 'text/x-markdown',
      rendered_content: expect.stringContaining('what is for lunch?</p>'),
      sender_id: dan.userId,
      sender_email: expect.any(String),
      sender_full_name: 'Dan Brooks',
      avatar_url: expect.any(String),
      display_recipient: 'leads',
      subject: 'plans',
      recipient_id: expect.any(Number),
      is_me_message: false,
      reactions: [],
      submessages: [],
    }),
  });
  expect(body.message).not.toHaveProperty('flags');
  const { secret } = JSON.parse(await admin('webhooks', 'secret', '--realm', '', '--bot', body.bot_email, '--json'));
  const sentAt = new Date(Number(call.headers['webhook-timestamp']) * 1_000);
  const signature = new Webhook(secret).sign(call.headers['webhook-id'] as string, sentAt, call.body);
  expect(call.headers['webhook-signature']).toBe(signature);
  const all = (answer: string) => (hasPython ? [answer, answer] : [answer]);
  expect(await runExamples([call.headers, call.body, secret])).toEqual(all('true'));
  expect(await runExamples([call.headers, `${call.body} `, secret])).toEqual(all('false'));
  const late = { ...call.headers, 'webhook-timestamp': '1000000000' };
  expect(await runExamples([late, call.body, secret])).toEqual(all('false'));
  // Users outside the channel see none of it.
  const seen = await eve.call(getMessages, { anchor: 'newest', num_before: 10, num_after: 0 });
  expect(JSON.stringify(seen.messages)).not.toContain('Soup, *of course*');
});

test('a bot that gets a direct message is called, with others in the conversation too', async () => {
  const { dan, eve } = network;
  const bot = await makeBot();
  const queue = await follow();
  answers = [say({ response_string: 'older', content: 'newer' })];
  await dan.call(sendMessage, { type: 'direct', to: [bot.id, eve.userId], content: 'Hello' });
  const reply = await nextOf(queue, bot.id);
  expect(reply).toMatchObject({ content: 'older', type: 'private' });
  expect((reply['display_recipient'] as { id: number }[]).map(({ id }) => id)).toEqual(
    [dan.userId, eve.userId, bot.id].sort((a, b) => a - b),
  );
  expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({ trigger: 'direct_message', message: { subject: '' } });
});

test('a bot is called by a mention of its group where it is subscribed, and only there', async () => {
  const { dan, iris } = network;
  const bot = await makeBot();
  const queue = await follow();
  const members = [bot.id];
  await iris.call(createGroup, { name: 'kitchen', description: '', members });
  await iris.call(subscribe, { subscriptions: [{ name: 'general' }], principals: members });
  answers = [say({ content: 'from the kitchen' })];
  await dan.call(sendMessage, toLeads('@*kitchen* not there'));
  await dan.call(sendMessage, { ...toLeads('@*kitchen* hungry'), to: 'general' });
  expect(await nextOf(queue, bot.id)).toMatchObject({ content: 'from the kitchen', display_recipient: 'general' });
  await network.settle();
  expect(received).toHaveLength(1);
});

test('a Slack-compatible bot gets a form, and no direct messages', async () => {
  const { dan } = network;
  const bot = await makeBot(2);
  const queue = await follow();
  answers = [say({ text: 'Hi', content: 'not this' })];
  const content = `@**${bot.name}** hi & bye`;
  await dan.call(sendMessage, toLeads(content));
  expect(await nextOf(queue, bot.id)).toMatchObject({ content: 'Hi' });
  const { stream_id } = await dan.call(findChannel, { stream: 'leads' });
  const fields = Object.fromEntries(new URLSearchParams(received[0]?.body));
  expect(fields).toEqual({
    token: expect.stringMatching(/^\w{32}$/),
    team_id: `T${dan.realmId}`,
    team_domain: 'parley.test',
    channel_id: `C${stream_id}`,
    channel_name: 'leads',
    thread_ts: expect.stringMatching(/^\d+$/),
    timestamp: fields['thread_ts'],
    user_id: `U${dan.userId}`,
    user_name: 'Dan Brooks',
    text: content,
    trigger_word: 'mention',
    service_id: String(bot.id),
  });
  await dan.call(sendMessage, toBot(bot.id, 'Hi'));
  const refusal = "Failure! Slack outgoing webhooks don't support direct messages.";
  expect(await nextOf(queue, bot.id)).toMatchObject({ content: refusal });
  expect(received).toHaveLength(1);
});

test('messages of bots, silent mentions, wildcard mentions and mentions of deactivated bots call no webhook', async () => {
  const { dan, robo } = network;
  const [bot, gone] = [await makeBot(), await makeBot()];
  await dan.call(deactivateBot, { bot_id: gone.id });
  await robo.call(sendMessage, toBot(bot.id, 'Hello from a bot'));
  await dan.call(sendMessage, toLeads(`@_**${bot.name}** \`@**${bot.name}**\` @**${gone.name}** @**all**`));
  await network.settle();
  expect(
    await network
      .database('scheduler')
      .query('select from webhook_delivery where bot_id = any($1)', [[bot.id, gone.id]]),
  ).toEqual([]);
});

test.each<[string, Responder, string, string]>([
  [
    'a status',
    say('no such thing', 404),
    'Failure! Third party responded with 404',
    'The webhook got a response with status code *404*.\nThe response contains the following payload:\n```\nno such thing\n```',
  ],
  [
    'a redirect',
    (response) => response.writeHead(302, { location: '/elsewhere' }).end(),
    'Failure! Third party responded with 302',
    'The webhook got a response with status code *302*.',
  ],
  ['an empty answer', say(''), 'Failure! Invalid JSON in response', 'Invalid JSON in response'],
  [
    'a null',
    say(null),
    'Failure! Invalid response format',
    'Invalid response format\nThe response contains the following payload:\n```\nnull\n```',
  ],
  [
    'an answer that cannot be sent',
    say({ content: 'x', widget_content: '{' }),
    'Failure! Widgets: API programmer sent invalid JSON content',
    'The outgoing webhook server attempted to send a message in Parley, but that request resulted in the following error:\n> Widgets: API programmer sent invalid JSON content',
  ],
  [
    'too long an answer',
    (response) => response.end(Buffer.alloc(2_000_000, 32)),
    'Failure! An exception of type *ResponseTooLarge* occurred for message `Hello`! See the Parley server logs for more information.',
    'When trying to send a request to the webhook service, an exception of type ResponseTooLarge occurred:\n```\nThe response is too large.\n```',
  ],
])(
  '%s is reported where the bot was called, and to its owner; the call is not repeated',
  async (_what, answer, said, toOwner) => {
    const { dan, iris } = network;
    const bot = await makeBot();
    const [queue, elsewhere] = [await follow(), await iris.events({ event_types: ['message'], apply_markdown: false })];
    answers = [answer];
    const { id } = await iris.call(sendMessage, toBot(bot.id, 'Hello'));
    expect(await nextOf(elsewhere, bot.id)).toMatchObject({ content: said });
    const notice = await nextOf(queue, bot.id);
    const near = `/#narrow/dm/${iris.userId},${bot.id}-dm/near/${id}`;
    expect(notice['content']).toBe(
      `[A message](${near}) to your bot @_**${bot.name}** triggered an outgoing webhook.\n${toOwner}`,
    );
    expect((notice['display_recipient'] as { id: number }[]).map((user) => user.id).sort((a, b) => a - b)).toEqual([
      dan.userId,
      bot.id,
    ]);
    expect(received).toHaveLength(1);
  },
);

test.each([
  ['http://10.0.0.1/hook'],
  ['http://169.254.169.254/latest/meta-data/'],
  ['http://[::ffff:192.168.0.1]/'],
  [''],
])('an address that may not be reached, %j, is reported like the refusal of a proxy', async (url) => {
  const bot = await makeBot(1, url);
  const queue = await follow();
  await network.dan.call(sendMessage, toBot(bot.id, 'Hello'));
  expect(await nextOf(queue, bot.id)).toMatchObject({ content: 'Failure! Third party responded with 407' });
  expect((await nextOf(queue, bot.id))['content']).toMatch(
    /triggered an outgoing webhook\.\nThe URL configured for the webhook is for a private or disallowed network\.$/,
  );
});

/** Listed once the call is given up, which follows the notices to its owner and the sender. */
function deadCallOf(botId: number): Promise<{ id: number }> {
  return until(async () => {
    const { deliveries } = JSON.parse(await admin('webhooks', 'list', '--realm', '', '--json'));
    return deliveries.find(({ bot_id }: { bot_id: number }) => bot_id === botId) ?? false;
  });
}

test('a call without an answer is repeated with the same id, then given up, and may be replayed', async () => {
  const bot = await makeBot();
  const queue = await follow();
  answers = [(response) => response.destroy(), say('down', 503), () => {}, say('down', 500)];
  await network.dan.call(sendMessage, toBot(bot.id, 'Hello'));
  await untilReceived(4);
  expect(await nextOf(queue, bot.id)).toMatchObject({ content: 'Failure! Third party responded with 500' });
  expect((await nextOf(queue, bot.id))['content']).toContain('status code *500*');
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(new Set(received.map(({ body }) => body)).size).toBe(1);

  const dead = await deadCallOf(bot.id);
  expect(dead).toMatchObject({ calls: 4, failure: 'status 500' });
  answers = [say({ content: 'Here I am' })];
  const replay = () => admin('webhooks', 'replay', '--realm', '', '--id', String(dead.id), '--json');
  expect(await replay()).toBe('{"replayed":1}\n');
  expect(await nextOf(queue, bot.id)).toMatchObject({ content: 'Here I am' });
  await expect(replay()).rejects.toThrow('No such failed delivery');
  await network.settle();
  const { entries } = JSON.parse(await admin('audit', 'list', '--realm', '', '--actor', 'operator', '--json'));
  const recorded = { act: 'replay-webhook-deliveries', by: 'operator', on: `user ${bot.id}` };
  expect(entries.filter(({ act }: { act: string }) => act === recorded.act)).toMatchObject([recorded]);
});
