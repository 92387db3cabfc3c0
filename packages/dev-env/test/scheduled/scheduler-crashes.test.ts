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
import { type EventQueue, eg, type TestClient, TestNetwork } from '../../src';
import { killAt, type Step } from '../kill-at';

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
  const settings = { OUTGOING_ALLOW: '127.0.0.1', BOT_KEY_SECRET: 'what the keys of a test network are made of' };
  const replicas = { scheduler: 2, messages: 2 };
  network = await TestNetwork.create({ settings, replicas, processes: ['scheduler', 'messages'] });
});
afterAll(async () => {
  await network.stop();
  bot.closeAllConnections();
  bot.close();
});

const inSeconds = (seconds: number) => Math.floor(Date.now() / 1_000) + seconds;

/** All replicas of the service are killed at the step, in the database of one of the two services, and started again. */
async function crash(
  victim: ServiceName,
  where: ServiceName,
  step: Step,
  begin: () => Promise<unknown>,
): Promise<void> {
  const replicas = network.replicas[victim];
  await killAt(network.database(where), step, replicas, begin);
  // The leases of the dead are over.
  await network.database('scheduler').query('update due_job set due_at = now() where lease is not null');
  await Promise.all(replicas.map((replica) => replica.start()));
}

const messagesOf = async (queue: EventQueue) =>
  (await queue.rest()).filter(({ type }) => type === 'message').map(({ message }) => (message as { id: number }).id);

const contentsLike = (pattern: string) =>
  network.database('messages').query('select content from message where content like $1', [pattern]);

const claimed: Step = { table: 'due_job', on: 'update', when: 'new.attempts > old.attempts', at: 'commit' };

const stored = (at: Step['at']): Step => ({ table: 'message', on: 'insert', when: `new.content like 'due%'`, at });

describe('a scheduled message is sent once, with one event for its author,', () => {
  const noted = (at: Step['at']): Step => ({
    table: 'scheduled_message',
    on: 'update',
    when: 'new.sent_message_id is not null',
    at,
  });

  test.each<[string, ServiceName, ServiceName, Step]>([
    ['the scheduler is killed once it has taken it', 'scheduler', 'scheduler', claimed],
    ['the scheduler is killed while it is sent', 'scheduler', 'messages', stored('commit')],
    ['the scheduler is killed before it notes that it was sent', 'scheduler', 'scheduler', noted('statement')],
    ['the scheduler is killed once it has noted it', 'scheduler', 'scheduler', noted('commit')],
    ['messages is killed before it is stored', 'messages', 'messages', stored('statement')],
    ['messages is killed once it is stored', 'messages', 'messages', stored('commit')],
  ])('when %s', async (name, victim, where, step) => {
    const { dan, eve } = network;
    const content = `due when ${name}`;
    const own = await dan.events({ event_types: ['scheduled_messages'] });
    const hers = await eve.events({ event_types: ['message'] });
    const schedule = () =>
      dan.call(createScheduledMessage, {
        type: 'direct',
        to: [eve.userId],
        content,
        scheduled_delivery_timestamp: inSeconds(2),
      });
    await crash(victim, where, step, schedule);
    expect(await own.take('scheduled_messages', 2)).toMatchObject([{ op: 'add' }, { op: 'remove' }]);
    await network.settle();
    expect(await own.rest()).toEqual([]);
    expect(await messagesOf(hers)).toHaveLength(1);
    expect(await contentsLike(content)).toHaveLength(1);
    expect((await dan.call(getScheduledMessages, {})).scheduled_messages).toEqual([]);
  });
});

describe('a reminder is sent once, with one event for its user,', () => {
  const noted = (at: Step['at']): Step => ({ table: 'reminder', on: 'delete', when: 'true', at });

  async function remind(client: TestClient): Promise<unknown> {
    const { id } = await client.call(sendMessage, { type: 'channel', to: eg.general, topic: 'x', content: 'Soup' });
    return client.call(createReminder, { message_id: id, scheduled_delivery_timestamp: inSeconds(2) });
  }

  test.each<[string, Step]>([
    ['the scheduler is killed once it has taken it', claimed],
    ['the scheduler is killed before it notes that it was sent', noted('statement')],
    ['the scheduler is killed once it has noted it', noted('commit')],
  ])('when %s', async (_name, step) => {
    const { iris } = network;
    const queue = await iris.events({ event_types: ['reminders'] });
    const messages = await iris.events({ event_types: ['message'], narrow: [['is', 'dm']] });
    await crash('scheduler', 'scheduler', step, () => remind(iris));
    expect(await queue.take('reminders', 2)).toMatchObject([{ op: 'add' }, { op: 'remove' }]);
    await network.settle();
    expect(await queue.rest()).toEqual([]);
    expect(await messagesOf(messages)).toHaveLength(1);
    expect((await iris.call(getReminders, {})).reminders).toEqual([]);
  });
});

describe('a bot’s answer is sent once, and the bot knows every call by its id,', () => {
  type Moment = [when: string, on: string, at: Step['at']];
  const delivery = ([, when, at]: Moment): Step => ({ table: 'webhook_delivery', on: 'update', when, at });
  const moments: Moment[] = [
    ['is about to call it', 'new.calls > old.calls', 'commit'],
    ['has called it', 'new.conclusion is not null and old.conclusion is null', 'statement'],
    ['has noted what it answered', 'new.conclusion is not null and old.conclusion is null', 'commit'],
    ['has said it', `new.state = 'done'`, 'statement'],
    ['has noted that it was said', `new.state = 'done'`, 'commit'],
  ];
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

  test.each<[string, ServiceName, Step]>([
    ['has taken the call', 'scheduler', claimed],
    ...moments.map((moment): [string, ServiceName, Step] => [moment[0], 'scheduler', delivery(moment)]),
    ['is saying it', 'messages', stored('commit')],
  ])('when the scheduler is killed that %s', async (name, where, step) => {
    const content = `question when it ${name}`;
    const ask = () => network.dan.call(sendMessage, { type: 'direct', to: [botId], content });
    await crash('scheduler', where, step, ask);
    await untilEnded();
    expect(await contentsLike(`due: %${content}`)).toHaveLength(1);
    expect(await contentsLike('Failure!%')).toEqual([]);
    const ids = calls.filter((call) => call.content.endsWith(content)).map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(0);
    expect(new Set(ids).size).toBe(1);
  });
});
