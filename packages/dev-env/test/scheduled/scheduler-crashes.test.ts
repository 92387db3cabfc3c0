import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  createBot,
  createReminder,
  createScheduledMessage,
  getReminders,
  getScheduledMessages,
  sendMessage,
} from '@parley/gateway/endpoints';
import { until } from '@parley/shared/testing';
import { type EventQueue, eg, TestNetwork } from '../../src';
import { killAtAll, type PlacedStep, type Step } from '../kill-at';

type ServiceName = 'scheduler' | 'messages';

/** Calls of the bot, with their ids; it answers in other words. */
const calls: { id: unknown; content: string }[] = [];
const bot = createServer(async (request, response) => {
  const { data } = JSON.parse(await text(request));
  calls.push({ id: request.headers['webhook-id'], content: data });
  response.end(JSON.stringify({ content: `due: ${data}` }));
});

let network: TestNetwork;
beforeAll(async () => {
  await new Promise<void>((resolve) => bot.listen(0, '127.0.0.1', resolve));
  const settings = { OUTGOING_ALLOW: '127.0.0.1' };
  const replicas = { scheduler: 2, messages: 2 };
  network = await TestNetwork.create({ settings, replicas, joint: ['scheduler', 'messages'] });
});
afterAll(async () => {
  await network.stop();
  bot.closeAllConnections();
  bot.close();
});

const inSeconds = (seconds: number) => Math.floor(Date.now() / 1_000) + seconds;

/** Something of which one job must come, and the step at which a service is killed that does it. */
interface Work {
  step: PlacedStep;
  begin(): Promise<unknown>;
  /** Once all services are there again. */
  check(): Promise<void>;
}

type Prepare = (moment: string) => Promise<Work>;

/** All replicas of the service are killed when each of the jobs is at its step, and started again. */
async function crash(victim: ServiceName, work: readonly Work[]): Promise<void> {
  const replicas = network.replicas[victim];
  const steps = work.map(({ step }) => step);
  await killAtAll(steps, replicas, () => Promise.all(work.map(({ begin }) => begin())));
  // The leases of the dead are over.
  await network.database('scheduler').query('update due_job set due_at = now() where lease is not null');
  await Promise.all(replicas.map((replica) => replica.start()));
}

const messagesOf = async (queue: EventQueue) =>
  (await queue.rest()).filter(({ type }) => type === 'message').map(({ message }) => (message as { id: number }).id);

const contentsLike = (pattern: string) =>
  network.database('messages').query('select content from message where content like $1', [pattern]);

const claimed = (kind: string): Step => ({
  ...{ table: 'due_job', on: 'update', at: 'commit' },
  when: `new.kind = '${kind}' and new.attempts > old.attempts`,
});

const stored = (beginning: string, at: Step['at']): Step => ({
  ...{ table: 'message', on: 'insert', at },
  when: `new.content like '${beginning}%'`,
});

const inScheduler = (step: Step): PlacedStep => ({ ...step, database: network.database('scheduler') });
const inMessages = (step: Step): PlacedStep => ({ ...step, database: network.database('messages') });

/** A scheduled message is sent once, with one event for its author. */
const scheduled =
  (placed: () => PlacedStep): Prepare =>
  async (moment) => {
    const { dan, eve } = network;
    const content = `due when ${moment}`;
    const own = await dan.events({ event_types: ['scheduled_messages'] });
    const hers = await eve.events({ event_types: ['message'], narrow: [['is', 'dm']] });
    return {
      step: placed(),
      begin: () =>
        dan.call(createScheduledMessage, {
          ...{ type: 'direct', to: [eve.userId], content },
          scheduled_delivery_timestamp: inSeconds(2),
        }),
      async check() {
        expect(await own.take('scheduled_messages', 2)).toMatchObject([{ op: 'add' }, { op: 'remove' }]);
        await network.settle();
        expect(await own.rest()).toEqual([]);
        expect(await messagesOf(hers)).toHaveLength(1);
        expect(await contentsLike(content)).toHaveLength(1);
        expect((await dan.call(getScheduledMessages, {})).scheduled_messages).toEqual([]);
      },
    };
  };

/** A reminder is sent once, with one event for its user. */
const reminder =
  (placed: () => PlacedStep): Prepare =>
  async () => {
    const { iris } = network;
    const queue = await iris.events({ event_types: ['reminders'] });
    const messages = await iris.events({ event_types: ['message'], narrow: [['is', 'dm']] });
    return {
      step: placed(),
      async begin() {
        const { id } = await iris.call(sendMessage, { type: 'channel', to: eg.general, topic: 'x', content: 'Soup' });
        await iris.call(createReminder, { message_id: id, scheduled_delivery_timestamp: inSeconds(2) });
      },
      async check() {
        expect(await queue.take('reminders', 2)).toMatchObject([{ op: 'add' }, { op: 'remove' }]);
        await network.settle();
        expect(await queue.rest()).toEqual([]);
        expect(await messagesOf(messages)).toHaveLength(1);
        expect((await iris.call(getReminders, {})).reminders).toEqual([]);
      },
    };
  };

let botId: number;
beforeAll(async () => {
  const { port } = bot.address() as AddressInfo;
  const named = { full_name: 'Hook', short_name: 'hook' };
  const payload_url = `http://127.0.0.1:${port}/`;
  botId = (await network.dan.call(createBot, { ...named, bot_type: 3, payload_url, interface_type: 1 })).user_id;
});

async function untilEnded(): Promise<void> {
  const open = `select 1 from webhook_delivery where state in ('waiting', 'under_way')`;
  await until(async () => (await network.database('scheduler').query(open)).length === 0);
  await network.settle();
}

/** A bot's answer is sent once, and the bot knows every call by its id. */
const answer =
  (placed: () => PlacedStep): Prepare =>
  async (moment) => {
    const content = `question when ${moment}`;
    return {
      step: placed(),
      begin: () => network.dan.call(sendMessage, { type: 'direct', to: [botId], content }),
      async check() {
        await untilEnded();
        expect(await contentsLike(`due: %${content}`)).toHaveLength(1);
        expect(await contentsLike('Failure!%')).toEqual([]);
        const ids = calls.filter((call) => call.content.endsWith(content)).map(({ id }) => id);
        expect(ids.length).toBeGreaterThan(0);
        expect(new Set(ids).size).toBe(1);
      },
    };
  };

const sent = (at: Step['at']) =>
  scheduled(() =>
    inScheduler({ table: 'scheduled_message', on: 'update', when: 'new.sent_message_id is not null', at }),
  );
const reminded = (at: Step['at']) => reminder(() => inScheduler({ table: 'reminder', on: 'delete', when: 'true', at }));
const called = (when: string, at: Step['at']) =>
  answer(() => inScheduler({ table: 'webhook_delivery', on: 'update', when, at }));
const CONCLUDED = 'new.conclusion is not null and old.conclusion is null';
const DONE = `new.state = 'done'`;

/** Steps that do not depend on each other share a crash. */
test.each<[string, ServiceName, Prepare[]]>([
  [
    'the scheduler is killed once it has taken a message, a reminder and a call',
    'scheduler',
    [
      scheduled(() => inScheduler(claimed('scheduled_message'))),
      reminder(() => inScheduler(claimed('reminder'))),
      answer(() => inScheduler(claimed('webhook'))),
    ],
  ],
  [
    'the scheduler is killed while a message is sent, before it notes that a reminder was, and when it is about to call',
    'scheduler',
    [
      scheduled(() => inMessages(stored('due when', 'commit'))),
      reminded('statement'),
      called('new.calls > old.calls', 'commit'),
    ],
  ],
  [
    'the scheduler is killed before it notes that a message was sent, once it has noted that a reminder was, and when it has called',
    'scheduler',
    [sent('statement'), reminded('commit'), called(CONCLUDED, 'statement')],
  ],
  [
    'the scheduler is killed once it has noted that a message was sent, and what was answered to a call',
    'scheduler',
    [sent('commit'), called(CONCLUDED, 'commit')],
  ],
  [
    'the scheduler is killed while an answer is said',
    'scheduler',
    [answer(() => inMessages(stored('due: ', 'commit')))],
  ],
  ['the scheduler is killed when it has said an answer', 'scheduler', [called(DONE, 'statement')]],
  ['the scheduler is killed when it has noted that an answer was said', 'scheduler', [called(DONE, 'commit')]],
  [
    'messages is killed before a message is stored',
    'messages',
    [scheduled(() => inMessages(stored('due when', 'statement')))],
  ],
  [
    'messages is killed once a message is stored',
    'messages',
    [scheduled(() => inMessages(stored('due when', 'commit')))],
  ],
])('all is sent once, with one event, when %s', async (moment, victim, prepared) => {
  const work = await Promise.all(prepared.map((prepare) => prepare(moment)));
  await crash(victim, work);
  for (const { check } of work) await check();
});
