import {
  findChannel,
  getDrafts,
  getMessages,
  getReminders,
  getSavedSnippets,
  getScheduledMessages,
  sendMessage,
} from '@parley/gateway/endpoints';
import { type RawAnswer, TestNetwork } from '../../src';
import { killAt, type Step } from '../kill-at';

let network: TestNetwork;
beforeAll(async () => {
  network = await TestNetwork.create({ replicas: { messages: 2, scheduler: 2 }, joint: ['messages', 'scheduler'] });
});
afterAll(() => network.stop());

const lunch = { type: 'channel', to: 'general', topic: 'lunch' } as const;

async function storedContents(): Promise<string[]> {
  const { messages } = await network.dan.call(getMessages, {
    anchor: 'newest',
    num_before: 1000,
    apply_markdown: false,
  });
  return messages.map(({ content }) => content);
}

describe('a message that is sent again', () => {
  test('with the same local_id, over any replica, is the first one', async () => {
    const { dan } = network;
    const events = await dan.events({ event_types: ['message'] });
    const send = { ...lunch, content: 'local', queue_id: events.queueId, local_id: '1' };
    const answers = await Promise.all(Array.from({ length: 20 }, () => dan.call(sendMessage, send)));
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    await network.settle();
    expect((await events.rest()).map(({ message }) => (message as { id: number }).id)).toEqual([answers[0]?.id]);
    expect((await storedContents()).filter((content) => content === 'local')).toHaveLength(1);
  });

  test('with the same Idempotency-Key is the first one; another sender’s key is another one', async () => {
    const { dan, eve } = network;
    const send = (client: typeof dan) =>
      client.callRaw({
        method: 'POST',
        path: '/api/v1/messages',
        form: { ...lunch, content: 'keyed' },
        headers: { 'idempotency-key': 'one' },
      });
    const ids = [await send(dan), await send(dan), await send(eve)].map(({ json }) => json['id']);
    expect(ids[1]).toBe(ids[0]);
    expect(ids[2]).not.toBe(ids[0]);
  });

  test('with a key of another message is refused', async () => {
    const { dan } = network;
    const send = (content: string, key: Record<string, string>) =>
      dan.callRaw({
        method: 'POST',
        path: '/api/v1/messages',
        form: { ...lunch, content, ...key },
        headers: 'local_id' in key ? {} : { 'idempotency-key': 'reused' },
      });
    for (const key of [{}, { queue_id: 'any', local_id: 'reused' }]) {
      expect((await send('first of its key', key)).status).toBe(200);
      const refused = await send('second of its key', key);
      expect(refused).toMatchObject({ status: 400, json: { result: 'error', code: 'IDEMPOTENCY_KEY_REUSED' } });
      expect((await send('first of its key', key)).status).toBe(200);
    }
    const stored = await storedContents();
    expect(stored.filter((content) => content.endsWith('of its key'))).toEqual(Array(2).fill('first of its key'));
  });

  test('without saying which one it is, is another one', async () => {
    const { dan } = network;
    const first = await dan.call(sendMessage, { ...lunch, content: 'plain' });
    const second = await dan.call(sendMessage, { ...lunch, content: 'plain' });
    expect(second.id).not.toBe(first.id);
  });
});

describe('a messages service that is killed after the commit and before its answer', () => {
  test('has sent the message: the gateway asks again for its id, as does its sender, and everybody gets it once', async () => {
    const { dan, eve } = network;
    const [own, hers] = [
      await dan.events({ event_types: ['message'] }),
      await eve.events({ event_types: ['message'] }),
    ];
    const send = { ...lunch, content: 'survivor', queue_id: own.queueId, local_id: '2' };
    const stored: Step = { table: 'message', on: 'insert', when: `new.content = '${send.content}'`, at: 'commit' };
    const replicas = network.replicas.messages;
    let lost: Promise<RawAnswer> | undefined;
    await killAt(network.database('messages'), stored, replicas, () => {
      lost = dan.callRaw({ method: 'POST', path: '/api/v1/messages', form: send });
      return Promise.resolve();
    });
    await Promise.all(replicas.map((replica) => replica.start()));
    const { id } = await dan.call(sendMessage, send);
    expect(await lost).toMatchObject({ status: 200, json: { id } });
    expect(await own.next('message')).toMatchObject({ message: { id }, local_message_id: '2' });
    expect(await hers.next('message')).toMatchObject({ message: { id } });
    await network.settle();
    expect([...(await own.rest()), ...(await hers.rest())]).toEqual([]);
    expect((await storedContents()).filter((content) => content === 'survivor')).toHaveLength(1);
  });
});

interface Thing {
  service: 'messages' | 'scheduler';
  table: string;
  /** The request's form; the content distinguishes the objects. */
  form(content: string): Promise<Record<string, string>>;
  /** Contents of those that there are. */
  list(): Promise<string[]>;
}

const TOMORROW = String(Math.floor(Date.now() / 1_000) + 24 * 60 * 60);
const generalId = async () => (await network.dan.call(findChannel, { stream: 'general' })).stream_id;

const things: Record<string, Thing> = {
  drafts: {
    ...{ service: 'messages', table: 'draft' },
    form: async (content) => ({
      drafts: JSON.stringify([{ type: 'stream', to: [await generalId()], topic: 'lunch', content }]),
    }),
    list: async () => (await network.dan.call(getDrafts, {})).drafts.map(({ content }) => content),
  },
  saved_snippets: {
    ...{ service: 'messages', table: 'saved_snippet' },
    form: async (content) => ({ title: 'Snippet', content }),
    list: async () => (await network.dan.call(getSavedSnippets, {})).saved_snippets.map(({ content }) => content),
  },
  scheduled_messages: {
    ...{ service: 'scheduler', table: 'scheduled_message' },
    form: async (content) => ({
      ...{ type: 'channel', to: String(await generalId()), topic: 'lunch', content },
      scheduled_delivery_timestamp: TOMORROW,
    }),
    list: async () =>
      (await network.dan.call(getScheduledMessages, {})).scheduled_messages.map(({ content }) => content),
  },
  reminders: {
    ...{ service: 'scheduler', table: 'reminder' },
    form: async (note) => ({
      message_id: String((await network.dan.call(sendMessage, { ...lunch, content: 'Soup?' })).id),
      ...{ scheduled_delivery_timestamp: TOMORROW, note },
    }),
    list: async () => (await network.dan.call(getReminders, {})).reminders.map(({ content }) => content),
  },
};

describe.each(Object.entries(things))('of %s', (type, { service, table, form, list }) => {
  const post = (sent: Record<string, string>, headers: Record<string, string> = {}) =>
    network.dan.callRaw({ method: 'POST', path: `/api/v1/${type}`, form: sent, headers });
  const countOf = async (content: string) => (await list()).filter((each) => each.includes(content)).length;

  test('a request repeated with its key takes effect once; the key is refused for other requests', async () => {
    const events = await network.dan.events({ event_types: [type] });
    const sent = await form('keyed');
    const headers = { 'idempotency-key': 'the same' };
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(sent, headers)));
    answers.push(await post(sent, headers));
    expect(answers[0]).toMatchObject({ status: 200, json: { result: 'success' } });
    for (const { json } of answers) expect(json).toEqual(answers[0]?.json);
    const refused = await post(await form('other'), headers);
    expect(refused).toMatchObject({ status: 400, json: { result: 'error', code: 'IDEMPOTENCY_KEY_REUSED' } });
    await network.settle();
    expect(await events.rest()).toEqual([expect.objectContaining({ type, op: 'add' })]);
    expect([await countOf('keyed'), await countOf('other')]).toEqual([1, 0]);
    expect((await post(sent)).json).not.toEqual(answers[0]?.json);
    expect(await countOf('keyed')).toBe(2);
  });

  test('the gateway adds a missing key: a service killed during its commit has made the change once', async () => {
    const events = await network.dan.events({ event_types: [type] });
    const sent = await form('survivor');
    const stored: Step = { table, on: 'insert', when: `new.content like '%survivor%'`, at: 'commit' };
    const replicas = network.replicas[service];
    let lost: Promise<RawAnswer> | undefined;
    await killAt(network.database(service), stored, replicas, () => {
      lost = post(sent);
      return Promise.resolve();
    });
    await Promise.all(replicas.map((replica) => replica.start()));
    expect(await lost).toMatchObject({ status: 200, json: { result: 'success' } });
    await network.settle();
    expect(await events.rest()).toEqual([expect.objectContaining({ type, op: 'add' })]);
    expect(await countOf('survivor')).toBe(1);
  });
});
