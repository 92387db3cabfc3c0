import {
  createBot,
  createChannel,
  createDrafts,
  deleteQueue,
  editMessage,
  type InputOf,
  listOwnBots,
  registerQueue,
  sendMessage,
  subscribe,
  updateFlags,
} from '@parley/gateway/endpoints';
import { newCall } from '@parley/shared/rpc';
import { until } from '@parley/shared/testing';
import { type EventQueue, type PublicEvent, type RawAnswer, type TestClient, TestNetwork } from '../../src';

let network: TestNetwork;
beforeAll(async () => {
  network = await TestNetwork.create({ replicas: { gateway: 2 } });
});
afterAll(() => network.stop());

type Form = Record<string, string>;

const onlyState = { fetch_event_types: '[]' };
const register = (person: TestClient, form: Form) =>
  person.callRaw({ method: 'POST', path: '/api/v1/register', form: { ...onlyState, ...form } });
const get = (person: TestClient, query: Form): Promise<RawAnswer> =>
  person.callRaw({ method: 'GET', path: `/api/v1/events?${new URLSearchParams(query)}` });
/** Without earlier events. */
async function openQueue(person: TestClient, form: Form = {}): Promise<string> {
  await network.settle();
  return (await register(person, form)).json['queue_id'] as string;
}
const refusal = (msg: string) => ({ status: 400, json: { result: 'error', code: 'BAD_REQUEST', msg } });

const say = (person: TestClient, topic: string, content: string, to = 'general') =>
  person.call(sendMessage, { type: 'channel', to, topic, content });
const contentsIn = (events: PublicEvent[]) =>
  events.filter(({ type }) => type === 'message').map((event) => (event['message'] as { content: string }).content);
const heardBy = async (queue: EventQueue) => {
  await network.settle();
  return contentsIn(await queue.rest());
};

describe('registering', () => {
  test.each<[Form, string]>([
    [{ event_types: '{}' }, 'event_types is not a list'],
    [{ event_types: '[1]' }, 'event_types[0] is not a string'],
    [{ event_types: 'message' }, 'event_types is not valid JSON'],
    [{ fetch_event_types: '"message"' }, 'fetch_event_types is not a list'],
    [{ narrow: '[["channel"]]' }, 'narrow[0] is not length 2'],
    [{ narrow: '[["has","link"]]' }, 'Operator has not supported.'],
    [{ narrow: '[["is","followed"]]' }, 'Operand followed not supported.'],
    [{ all_public_streams: '1' }, 'all_public_streams is not a boolean'],
    [{ apply_markdown: '"yes"' }, 'apply_markdown is not a boolean'],
    [{ client_gravatar: '[]' }, 'client_gravatar is not a boolean'],
    [{ client_capabilities: '[]' }, 'client_capabilities is not a dict'],
    [
      { client_capabilities: '{"bulk_message_deletion":1}' },
      'client_capabilities["bulk_message_deletion"] is not a boolean',
    ],
    [{ queue_lifespan_secs: '"long"' }, 'queue_lifespan_secs is not an integer'],
    [{ queue_lifespan_secs: '-1' }, 'queue_lifespan_secs is too small'],
  ])('with %j is refused: %s', async (form, msg) => {
    expect(await register(network.dan, form)).toMatchObject(refusal(msg));
  });

  test('takes the text null as an absent parameter', async () => {
    const names = Object.keys(registerQueue.parameters).filter((name) => name !== 'fetch_event_types');
    const answer = await register(network.dan, Object.fromEntries(names.map((name) => [name, 'null'])));
    expect(answer).toMatchObject({ status: 200, json: { queue_id: expect.any(String), last_event_id: -1 } });
    expect(answer.json).not.toHaveProperty('ignored_parameters_unsupported');
  });

  test('says which parameters it does not know, and passes over capabilities and types that it does not know', async () => {
    const unknown = {
      idle_queue_timeout: 'long',
      client_capabilities: '{"telepathy":true}',
      event_types: '["thought"]',
    };
    const answer = await register(network.dan, unknown);
    expect(answer).toMatchObject({ status: 200, json: { ignored_parameters_unsupported: ['idle_queue_timeout'] } });
  });

  test('for all public channels is not for guests', async () => {
    const wide = { all_public_streams: 'true' };
    expect(await register(network.faye, wide)).toMatchObject(refusal('User not authorized for this query'));
    expect(await register(network.dan, wide)).toMatchObject({ status: 200 });
  });
});

describe('a narrow', () => {
  test.each<[[string, string][], string[]]>([
    [[['channel', 'GENERAL']], ['hi', 'done', 'to @**Eve Castillo**']],
    [[['stream', 'general']], ['hi', 'done', 'to @**Eve Castillo**']],
    [[['topic', 'Tea']], ['hi', 'to @**Eve Castillo**']],
    [[['sender', 'IRIS@example.com']], ['done']],
    [[['is', 'dm']], ['psst']],
    [[['is', 'private']], ['psst']],
    [[['is', 'mentioned']], ['to @**Eve Castillo**']],
    [[['is', 'alerted']], ['to @**Eve Castillo**']],
    [[['is', 'starred']], []],
    [[['is', 'unread']], ['hi', 'done', 'to @**Eve Castillo**', 'psst']],
    [[['is', 'resolved']], ['done']],
    [[['is', 'anything']], ['hi', 'done', 'to @**Eve Castillo**', 'psst']],
    [
      [
        ['topic', 'tea'],
        ['is', 'mentioned'],
      ],
      ['to @**Eve Castillo**'],
    ],
    [[['channel', 'elsewhere']], []],
  ])('of %j lets through %j', async (narrow, contents) => {
    const { dan, eve, iris } = network;
    const queue = await eve.events({ narrow, fetch_event_types: [] });
    await say(dan, 'tea', 'hi');
    await say(iris, '✔ lunch', 'done');
    await say(dan, 'TEA', 'to @**Eve Castillo**');
    await dan.call(sendMessage, { type: 'direct', to: [eve.userId], content: 'psst' });
    expect(await heardBy(queue)).toEqual(contents);
  });

  test('filters messages only', async () => {
    const queue = await network.eve.events({ narrow: [['is', 'starred']], fetch_event_types: [] });
    await network.eve.call(createDrafts, {
      drafts: [{ type: 'private', to: [network.dan.userId], topic: '', content: 'x' }],
    });
    await network.settle();
    expect((await queue.rest()).map(({ type }) => type)).toEqual(['drafts']);
  });
});

describe('public channels without a subscription', () => {
  beforeAll(async () => {
    const { dan } = network;
    await dan.call(createChannel, { name: 'lounge', subscribers: [dan.userId] });
    await dan.call(createChannel, { name: 'den', subscribers: [dan.userId], invite_only: true });
  });
  const sayEverywhere = async () => {
    await say(network.dan, 'x', 'in the lounge', 'lounge');
    await say(network.dan, 'x', 'in the den', 'den');
    await say(network.dan, 'x', 'in general');
  };

  test('reach queues with all_public_streams or a narrow, without flags; private ones do not', async () => {
    const { eve } = network;
    const wide = await eve.events({ all_public_streams: true, fetch_event_types: [] });
    const narrow = await eve.events({ narrow: [['channel', 'lounge']], fetch_event_types: [] });
    const usual = await eve.events({ fetch_event_types: [] });
    await sayEverywhere();
    await network.settle();
    const events = await wide.rest();
    expect(contentsIn(events)).toEqual(['in the lounge', 'in general']);
    expect(events[0]?.['flags']).toEqual([]);
    expect(await heardBy(narrow)).toEqual(['in the lounge']);
    expect(await heardBy(usual)).toEqual(['in general']);
  });

  test('do not reach guests with any narrow', async () => {
    const { faye } = network;
    const narrow = await faye.events({ narrow: [['channel', 'lounge']], fetch_event_types: [] });
    await sayEverywhere();
    expect(await heardBy(narrow)).toEqual([]);
  });

  test('reach bots with that default, unless they override it', async () => {
    const { dan } = network;
    const { realmId } = dan;
    const make = async (short_name: string, defaults: Partial<InputOf<typeof createBot>>) => {
      const made = await dan.call(createBot, { full_name: short_name, short_name, ...defaults });
      const { bots } = await dan.call(listOwnBots, {});
      const email = bots.find(({ full_name }) => full_name === short_name)?.username as string;
      return network.clientOf({ realmId, userId: made.user_id, apiKey: made.api_key, email });
    };
    const all = await make('all-hearing', { default_all_public_streams: true });
    const one = await make('listening', { default_events_register_stream: 'lounge' });
    const queues = await Promise.all([
      all.events({ fetch_event_types: [] }),
      all.events({ fetch_event_types: [], all_public_streams: false }),
      one.events({ fetch_event_types: [] }),
      one.events({ fetch_event_types: [], narrow: [['channel', 'general']] }),
    ]);
    await sayEverywhere();
    const heard = [];
    for (const queue of queues) heard.push(await heardBy(queue));
    expect(heard).toEqual([['in the lounge', 'in general'], [], ['in the lounge'], ['in general']]);
  });
});

describe('polling', () => {
  test('is refused without its parameters, and with values that are none', async () => {
    const { dan } = network;
    const queue_id = await openQueue(dan);
    const cases: [Form, string][] = [
      [{}, "Missing 'queue_id' argument"],
      [{ last_event_id: '-1' }, "Missing 'queue_id' argument"],
      [{ queue_id }, "Missing 'last_event_id' argument"],
      [{ queue_id, last_event_id: '"x"' }, 'last_event_id is not an integer'],
      [{ queue_id, last_event_id: '-1', dont_block: '1' }, 'dont_block is not a boolean'],
      [{ queue_id, last_event_id: '99999999999' }, 'Event 99999999999 was not in this queue'],
    ];
    for (const [query, msg] of cases) expect(await get(dan, query)).toMatchObject(refusal(msg));
  });

  test('and deleting another user’s queue or an ended one is refused alike', async () => {
    const { dan, eve } = network;
    const queue_id = await openQueue(dan);
    const bad = (id: string) => ({
      status: 400,
      json: { result: 'error', code: 'BAD_EVENT_QUEUE_ID', msg: `Bad event queue ID: ${id}`, queue_id: id },
    });
    const now = { last_event_id: '-1', dont_block: 'true' };
    expect(await get(eve, { queue_id, ...now })).toMatchObject(bad(queue_id));
    await eve.expectError('BAD_EVENT_QUEUE_ID', deleteQueue, { queue_id });
    expect(await get(dan, { queue_id: 'none', ...now })).toMatchObject(bad('none'));
    await dan.call(deleteQueue, { queue_id });
    await dan.expectError('BAD_EVENT_QUEUE_ID', deleteQueue, { queue_id });
    expect(await get(dan, { queue_id, ...now })).toMatchObject(bad(queue_id));
    const unnamed = await dan.callRaw({ method: 'DELETE', path: '/api/v1/events' });
    expect(unnamed).toMatchObject({ status: 400, json: { code: 'REQUEST_VARIABLE_MISSING', var_name: 'queue_id' } });
  });

  test('gets events again until they are acknowledged, one by one if need be', async () => {
    const { dan, eve } = network;
    const queue = await eve.events({ event_types: ['message'], fetch_event_types: [] });
    for (const content of ['one', 'two', 'three']) await say(dan, 'count', content);
    await network.settle();
    const all = await queue.poll(-1, true);
    expect(contentsIn(all)).toEqual(['one', 'two', 'three']);
    expect(await queue.poll(-1, true)).toEqual(all);
    expect(await queue.poll(all[1]?.id as number, true)).toEqual([all[2]]);
    expect(await queue.poll(all[2]?.id as number, true)).toEqual([]);
  });

  test('twice at once ends the older poll with nothing', async () => {
    const { dan, eve } = network;
    const queue_id = await openQueue(eve, { event_types: '["message"]' });
    const poll = () => get(eve, { queue_id, last_event_id: '-1' });
    const older = poll();
    let newer = poll();
    const first = await Promise.race([older, newer]);
    expect(first).toMatchObject({ status: 200, json: { result: 'success', msg: '', events: [], queue_id } });
    newer = Promise.all([older, newer]).then((both) => both.find((answer) => answer !== first) as RawAnswer);
    await say(dan, 'x', 'for the newer');
    expect((await newer).json).toMatchObject({ events: [{ message: { content: 'for the newer' } }] });
  });

  test('is over when its queue is deleted', async () => {
    const { eve } = network;
    const queue_id = await openQueue(eve, { event_types: '["message"]' });
    const waiting = get(eve, { queue_id, last_event_id: '-1' });
    await eve.call(deleteQueue, { queue_id });
    const { json } = await waiting;
    expect([[], undefined]).toContainEqual(json['events']);
    expect([undefined, 'BAD_EVENT_QUEUE_ID']).toContain(json['code']);
  });
});

describe('events are of their queue', () => {
  test('a local id comes back to the queue that it was sent with, and to no other', async () => {
    const { dan } = network;
    const [own, other] = [await dan.events({ fetch_event_types: [] }), await dan.events({ fetch_event_types: [] })];
    const content = { type: 'channel', to: 'general', topic: 'echo', content: 'x' } as const;
    await dan.call(sendMessage, { ...content, queue_id: own.queueId, local_id: '7.01' });
    expect(await own.next('message')).toMatchObject({ local_message_id: '7.01' });
    expect(await other.next('message')).not.toHaveProperty('local_message_id');
  });

  test('content, pictures and empty topics follow the client’s capabilities', async () => {
    const { dan, eve } = network;
    const plain = await eve.events({ fetch_event_types: [], client_gravatar: false });
    const rich = await eve.events({
      fetch_event_types: [],
      apply_markdown: true,
      client_capabilities: { empty_topic_name: true },
    });
    await say(dan, '', '*hi*');
    const [text, html] = [await plain.next('message'), await rich.next('message')] as unknown as {
      message: Record<string, unknown>;
    }[];
    expect(text?.message).toMatchObject({ content: '*hi*', content_type: 'text/x-markdown', subject: 'general chat' });
    expect(text?.message['avatar_url']).toEqual(expect.any(String));
    expect(html?.message).toMatchObject({ content: '<p><em>hi</em></p>', content_type: 'text/html', subject: '' });
    expect(html?.message['avatar_url']).toBeNull();
  });

  test('flags that are set one after the other arrive together, but not across a change to the contrary', async () => {
    const { dan } = network;
    const ids = [];
    for (const content of ['a', 'b', 'c']) ids.push((await say(dan, 'stars', content)).id);
    const [a, b, c] = ids as [number, number, number];
    const queue = await dan.events({ event_types: ['update_message_flags'], fetch_event_types: [] });
    const star = (op: 'add' | 'remove', id: number) => dan.call(updateFlags, { op, flag: 'starred', messages: [id] });
    await star('add', a);
    await star('add', b);
    await star('remove', b);
    await star('add', b);
    await star('add', c);
    await network.settle();
    const changes = (await queue.rest()).map(({ op, messages }) => [op, messages]);
    expect(changes).toEqual([
      ['add', [a, b]],
      ['remove', [b]],
      ['add', [b, c]],
    ]);
  });

  test('types that were not requested are not delivered', async () => {
    const { dan } = network;
    const [some, none] = [
      await dan.events({ event_types: ['update_message'], fetch_event_types: [] }),
      await dan.events({ event_types: [], fetch_event_types: [] }),
    ];
    const { id } = await say(dan, 'edit', 'first');
    await dan.call(editMessage, { message_id: id, content: 'second' });
    await dan.call(subscribe, { subscriptions: [{ name: 'elsewhere' }] });
    await network.settle();
    expect(await some.rest()).toMatchObject([{ type: 'update_message', message_id: id }]);
    expect(await none.rest()).toEqual([]);
  });
});

test('queues that survive an upgrade get one event of it, from gateways of another release', async () => {
  const { dan, eve, zoe } = network;
  const [everything, restartsOnly] = [await dan.events(), await zoe.events({ event_types: ['restart'] })];
  const messagesOnly = await eve.events({ event_types: ['message'] });
  const noted = () => network.database('realm').query('select 1 from release where version is not null');
  await until(async () => (await noted()).length > 0);
  await network.realmService.noteRelease(newCall(), { version: '0.0.1', mergeBase: '0.0.1', featureLevel: 1 });
  for (const queue of [everything, restartsOnly]) {
    const earlier = { service_version: '0.0.1', service_merge_base: '0.0.1', service_feature_level: 1 };
    expect(await queue.next('restart')).toMatchObject({ ...earlier, server_generation: expect.any(Number) });
  }
  // Not the cast's replica.
  const [, gateway] = network.replicas.gateway;
  await gateway?.stop();
  await gateway?.start();
  const names = ['service_version', 'service_merge_base', 'service_feature_level'];
  const own = Object.fromEntries(names.map((name) => [name, restartsOnly.state[name]]));
  for (const queue of [everything, restartsOnly]) expect(await queue.next('restart')).toMatchObject(own);
  await network.settle();
  for (const queue of [everything, restartsOnly, messagesOnly]) expect(await queue.rest()).toEqual([]);
});
