import type { Database } from '@parley/shared/db';
import { BadRequestError, ServiceUnavailableError } from '@parley/shared/errors';
import type { WebhookBotsCalled } from '@parley/shared/events';
import { type ClaimedJob, claimDueJobs, type DueJobs, startDueJobs } from '@parley/shared/jobs';
import { OutsideError, type OutsideRequest } from '@parley/shared/outside-http';
import type { SendMessageRequest } from '@parley/shared/proto';
import { silentLogger } from '@parley/shared/service';
import { createFakeClock, type TestDatabase } from '@parley/shared/testing';
import { openTestDatabase } from '../../test/open-test-database';
import type { Context } from '../context';
import { callBots } from './call-bots';
import { deliverCall, webhookJobs } from './deliver-call';

const clock = createFakeClock();
const config = {
  EXTERNAL_HOST: 'parley.test',
  OUTGOING_WEBHOOK_TIMEOUT_SECS: 10,
  OUTGOING_WEBHOOKS_AT_ONCE: 8,
} as Context['config'];
const started: DueJobs[] = [];
let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await openTestDatabase();
  db = database.db;
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((jobs) => jobs.stop()));
  await db.query('truncate due_job, webhook_delivery, webhook_bot');
});
afterAll(() => database.close());

type Responder = (request: OutsideRequest) => Promise<{ status: number; body: Buffer }>;

const says = (content: string) => async () => ({ status: 200, body: Buffer.from(JSON.stringify({ content })) });

/** Fakes of the other services and the bots' receivers; a message is sent once for each key. */
function world(answer: Responder = says('Soup')) {
  const calls: OutsideRequest[] = [];
  const sent = new Map<string, SendMessageRequest>();
  const fakes = { answer, refuse: (_request: SendMessageRequest, _isNew: boolean): Error | null => null, bots: [1, 2] };
  const user = (id: number) => ({
    id,
    realmId: 1,
    fullName: `User ${id}`,
    email: `${id}@example.com`,
    avatarSource: 'G',
  });
  const webhook = { payloadUrl: 'https://example.com/', interface: 1, token: 'x'.repeat(32) };
  const services = {
    realm: {
      getWebhookBots: async (_call: unknown, { namedIds }: { namedIds: number[] }) => ({
        bots: namedIds
          .filter((id) => fakes.bots.includes(id))
          .map((id) => ({
            bot: { ...user(id), botOwnerId: 9 },
            webhook,
            isOwnerActive: true,
            signingSecret: 'whsec_eA==',
          })),
      }),
    },
    messages: {
      getMessage: async (_caller: unknown, { messageId: id }: { messageId: number }) => {
        if (id === 404) throw new BadRequestError('Invalid message(s)');
        const content = {
          content: 'Hello',
          renderedContent: '<p>Hello</p>',
          topic: 'x',
          channelId: 5,
          channelName: 'lobby',
        };
        return {
          id,
          realmId: 1,
          sender: user(9),
          sentAtMs: 0,
          participants: [],
          reactions: [],
          submessages: [],
          topicLinks: [],
          ...content,
        };
      },
      sendMessage: async (_caller: unknown, request: SendMessageRequest) => {
        const key = request.jobKey as string;
        const isNew = !sent.has(key);
        const refusal = fakes.refuse(request, isNew);
        if (!(refusal instanceof BadRequestError) && isNew) sent.set(key, request);
        if (refusal) throw refusal;
        return { messageId: 1 };
      },
    },
  } as unknown as Context['services'];
  const outside = (async (request: OutsideRequest) => {
    calls.push(request);
    return fakes.answer(request);
  }) as unknown as Context['outside'];
  const pushCarriers = { web: null, apns: null, fcm: null };
  const base = { db, bus: undefined as never, clock, log: silentLogger, config, services, outside, pushCarriers };
  const contents = () => [...sent.values()].map(({ content }) => content);
  const ids = () => calls.map(({ headers }) => headers?.['webhook-id']);
  return { base, calls, sent, fakes, contents, ids };
}

type World = ReturnType<typeof world>;

/** Starts a replica. */
function start({ base }: World): DueJobs {
  const jobs: DueJobs = startDueJobs(
    base,
    webhookJobs(base, () => jobs.wake()),
  );
  started.push(jobs);
  return jobs;
}

const noJobs = { wake() {} };

async function call({ base }: World, messageId: number, botIds = [1]): Promise<void> {
  const ctx: Context = {
    ...base,
    dueJobs: { scheduledMessages: noJobs, reminders: noJobs, webhooks: noJobs, missedMails: noJobs, pushes: noJobs },
  };
  const payload: WebhookBotsCalled = {
    messageId,
    senderId: 9,
    channelId: 5,
    messageHref: '/#m',
    botIds,
    groupMemberIds: [],
  };
  await callBots(ctx, [{ id: `messages:${messageId}`, realmId: 1, payload }]);
}

/** Runs due jobs until none is left, advancing the clock in between. */
async function finish(jobs: DueJobs, afterMs = 60_000): Promise<void> {
  await jobs.runOnce();
  for (let round = 0; round < 5; round += 1) {
    clock.advance(afterMs);
    await jobs.runOnce();
  }
}

const states = async (botId = 1) => {
  const rows = await db.query<{ state: string }>('select state from webhook_delivery where bot_id = $1 order by id', [
    botId,
  ]);
  return rows.map(({ state }) => state);
};

test('a bot is called once for a message, however often the message is announced', async () => {
  const here = world();
  await call(here, 1, [1, 2]);
  await call(here, 1, [1, 2]);
  await finish(start(here));
  await call(here, 1, [1, 2]);
  expect(here.calls).toHaveLength(2);
  expect(here.contents()).toEqual(['Soup', 'Soup']);
  expect([await states(1), await states(2)]).toEqual([['done'], ['done']]);
});

test('deleted messages call no bots, and deactivated bots are not called', async () => {
  const here = world();
  await call(here, 404);
  await call(here, 1, [3]);
  await call(here, 2, [2]);
  here.fakes.bots = [1];
  await finish(start(here));
  expect(here.calls).toEqual([]);
  expect(await states(2)).toEqual(['done']);
});

test('a bot that is slow gets four calls at once from all replicas, and others do not wait for it', async () => {
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  const here = world(async (request) => {
    if (JSON.parse(request.body as string).bot_email === '1@example.com') await isReleased;
    return says('Soup')();
  });
  for (let messageId = 1; messageId <= 10; messageId += 1) await call(here, messageId);
  await call(here, 11, [2]);
  const replicas = [start(here), start(here)];
  while (here.sent.size < 1 || here.calls.length < 5) await new Promise(setImmediate);
  const ofSlowBot = await states(1);
  release();
  const [underWay, waiting] = [Array(4).fill('under_way'), Array(6).fill('waiting')];
  expect(ofSlowBot).toEqual([...underWay, ...waiting]);
  while (here.sent.size < 11) await Promise.all(replicas.map((jobs) => jobs.runOnce()));
  expect(here.calls).toHaveLength(11);
});

test('a bot’s answer is sent once, even if messages is unreachable or the process crashes, and the bot is not called again', async () => {
  const here = world();
  let failures = 0;
  here.fakes.refuse = () => {
    failures += 1;
    return failures <= 2 ? new ServiceUnavailableError() : null;
  };
  await call(here, 1);
  await finish(start(here));
  expect([here.calls.length, here.contents()]).toEqual([1, ['Soup']]);
  expect(await states()).toEqual(['done']);
});

test('a replica that dies over a call leaves it to another, which calls with the same id', async () => {
  const here = world();
  await call(here, 1);
  let isDead = true;
  here.fakes.answer = () => (isDead ? new Promise(() => {}) : says('Soup')());
  const { kind, leaseMs } = webhookJobs(here.base, () => {});
  const [job] = await claimDueJobs(db, { kind, leaseMs, nowMs: clock.now(), limit: 1 });
  void deliverCall(here.base, job as ClaimedJob);
  while (here.calls.length < 1) await new Promise(setImmediate);
  isDead = false;
  const other = start(here);
  await other.runOnce();
  expect(here.calls).toHaveLength(1);
  clock.advance(41_000);
  await other.runOnce();
  expect(here.calls).toHaveLength(2);
  expect(new Set(here.ids()).size).toBe(1);
  expect(here.contents()).toEqual(['Soup']);
});

test.each<[string, Responder, string, string]>([
  [
    'times out',
    () => Promise.reject(new OutsideError('timeout', 'x')),
    'Bot is unavailable',
    'Request timed out after 10 seconds.',
  ],
  [
    'is not there',
    () => Promise.reject(new OutsideError('no-connection', 'x')),
    'Bot is unavailable',
    'A connection error occurred. Is my bot server down?',
  ],
  [
    'fails',
    async () => ({ status: 503, body: Buffer.from('') }),
    'Third party responded with 503',
    'The webhook got a response with status code *503*.',
  ],
])('a bot that %s is called four times, then given up', async (_what, answer, said, toOwner) => {
  const here = world(answer);
  await call(here, 1);
  await finish(start(here));
  expect(here.calls).toHaveLength(4);
  const opening = '[A message](/#m) to your bot @_**User 1** triggered an outgoing webhook.';
  expect(here.contents()).toEqual([`Failure! ${said}`, `${opening}\n${toOwner}`]);
  expect([...here.sent.values()]).toMatchObject([
    { isDirect: false, channelId: 5, topic: 'x', isAnswer: true },
    { isDirect: true, recipientIds: [9] },
  ]);
  expect(await states()).toEqual(['dead']);
  clock.advance(31 * 24 * 60 * 60_000);
  await started[0]?.runOnce();
  expect(await states()).toEqual([]);
});

test('a bot whose calls end replicas is given up, too', async () => {
  const here = world(() => Promise.reject(new Error('test')));
  await call(here, 1);
  await finish(start(here));
  expect(here.calls).toHaveLength(4);
  expect(here.contents()).toEqual(['Failure! Bot is unavailable', expect.stringContaining('connection error')]);
});

test('a refused reply is reported in the channel, unless that is deleted, and always to the owner', async () => {
  const here = world();
  here.fakes.refuse = ({ content }) => (content === 'Soup' ? new BadRequestError('No soup\nhere') : null);
  await call(here, 1);
  await finish(start(here));
  const error =
    'The outgoing webhook server attempted to send a message in Parley, but that request resulted in the following error:';
  expect(here.contents()).toEqual(['Failure! No soup\nhere', expect.stringContaining(`${error}\n> No soup\n> here`)]);
  here.fakes.refuse = ({ isDirect }) => (isDirect ? null : new BadRequestError('gone'));
  here.sent.clear();
  await call(here, 2);
  await finish(start(here));
  expect(here.contents()).toEqual([expect.stringContaining('> gone')]);
});
