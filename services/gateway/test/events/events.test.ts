import http from 'node:http';
import { BadEventQueueIdError, ServiceUnavailableError } from '@parley/shared/errors';
import { createFakeClock } from '@parley/shared/testing';
import { deleteQueue, getEvents } from '../../src/endpoints';
import { GIVE_UP_MS } from '../../src/event-pods/event-pods';
import { basic, IAGO, startGateway, type TestGateway } from '../gateway';
import { createMailbox, type EventsPeer, startEvents, type WaitingPoll } from '../peers';

const EVENTS = [{ id: 3, type: 'heartbeat' }];
const poll = (gateway: TestGateway, queueId: string) =>
  gateway.call(getEvents, { queue_id: queueId, last_event_id: 2 });
const answerWith = (queueId: string, events: unknown[] = EVENTS) => ({
  result: 'success',
  msg: '',
  queue_id: queueId,
  events,
});

describe('GET /events', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.stop());

  test('is forwarded to a pod on behalf of the caller, and answered with its bytes', async () => {
    const answer = poll(gateway, 'q1');
    const waiting = await gateway.events.nextPoll('q1');
    expect(waiting.request).toMatchObject({
      realmId: 2,
      userId: 11,
      queueId: 'q1',
      lastEventId: 2,
      dontBlock: false,
      isWithdrawn: false,
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    waiting.reply(EVENTS);
    expect((await answer).json).toEqual(answerWith('q1'));
  });

  test('waits for as many queues as there are, over one stream', async () => {
    const names = Array.from({ length: 200 }, (_, index) => `many-${index}`);
    const answers = names.map((name) => poll(gateway, name));
    const waiting = await Promise.all(names.map((name) => gateway.events.nextPoll(name)));
    expect(new Set(waiting.map(({ request }) => request.pollId)).size).toBe(200);
    for (const { request, reply } of waiting.reverse()) reply([{ id: 1, type: request.queueId }]);
    const types = (await Promise.all(answers)).map(({ json }) => json.events[0].type);
    expect(types).toEqual(names);
    // Requests of one moment share a message.
    expect(gateway.events.frameLengths.length).toBeLessThan(100);
  });

  test('names parameters that it does not know', async () => {
    const answer = gateway.request({ path: '/api/v1/events?queue_id=q1&last_event_id=2&dont_block=true&surplus=1' });
    const waiting = await gateway.events.nextPoll('q1');
    expect(waiting.request.dontBlock).toBe(true);
    waiting.reply([]);
    expect((await answer).json).toEqual({ ...answerWith('q1', []), ignored_parameters_unsupported: ['surplus'] });
  });

  test('answers the error with which a pod refuses', async () => {
    const answer = poll(gateway, 'gone');
    (await gateway.events.nextPoll('gone')).refuse(new BadEventQueueIdError('gone'));
    expect(await answer).toMatchObject({
      status: 400,
      json: { code: 'BAD_EVENT_QUEUE_ID', msg: 'Bad event queue ID: gone', queue_id: 'gone' },
    });
  });

  test('is repeated when a pod says that it cannot answer now', async () => {
    const answer = poll(gateway, 'busy');
    (await gateway.events.nextPoll('busy')).refuse(new ServiceUnavailableError());
    (await gateway.events.nextPoll('busy')).reply(EVENTS);
    expect((await answer).json).toEqual(answerWith('busy'));
  });

  test('is withdrawn when the client hangs up', async () => {
    const [host, port] = gateway.address.split(':');
    const path = '/api/v1/events?queue_id=left&last_event_id=2';
    const request = http.get({ host, port, path, headers: { Authorization: basic(IAGO) } });
    request.on('error', () => {});
    const { request: asked } = await gateway.events.nextPoll('left');
    request.destroy();
    expect(await gateway.events.nextWithdrawal('left')).toMatchObject({ pollId: asked.pollId, isWithdrawn: true });
  });

  test('is withdrawn at once when the client hung up before a pod was asked', async () => {
    let letIn = () => {};
    const { authenticate } = gateway.realm.answers;
    const isAsked = new Promise<void>((resolve) => {
      gateway.realm.answers.authenticate = async (call, request) => {
        resolve();
        await new Promise<void>((release) => {
          letIn = release;
        });
        return authenticate(call, request);
      };
    });
    const [host, port] = gateway.address.split(':');
    const path = '/api/v1/events?queue_id=early&last_event_id=2';
    const request = http.get({ host, port, path, headers: { Authorization: basic(IAGO) } });
    const isGone = new Promise((resolve) => request.on('close', resolve));
    request.on('error', () => {});
    await isAsked;
    request.destroy();
    await isGone;
    gateway.realm.answers.authenticate = authenticate;
    letIn();
    expect(await gateway.events.nextWithdrawal('early')).toMatchObject({ isWithdrawn: true });
  });

  test('is repeated, with the same cursor, when the stream to its pod ends', async () => {
    const answer = poll(gateway, 'moved');
    const first = await gateway.events.nextPoll('moved');
    gateway.events.endStreams();
    const second = await gateway.events.nextPoll('moved');
    expect(second.request).toEqual(first.request);
    second.reply(EVENTS);
    expect((await answer).json).toEqual(answerWith('moved'));
  });

  test.each([
    ['', "Missing 'queue_id' argument"],
    ['queue_id=q1', "Missing 'last_event_id' argument"],
    ['queue_id=q1&last_event_id=x', 'last_event_id is not valid JSON'],
    ['queue_id=q1&last_event_id=%22x%22', 'last_event_id is not an integer'],
    ['queue_id=q1&last_event_id=1&dont_block=1', 'dont_block is not a boolean'],
    [`queue_id=${'x'.repeat(201)}&last_event_id=1`, 'queue_id is too long (limit: 200 characters)'],
  ])('refuses ?%s', async (query, msg) => {
    const answer = await gateway.request({ path: `/api/v1/events?${query}` });
    expect(answer).toMatchObject({ status: 400, json: { code: 'BAD_REQUEST', msg } });
  });
});

describe('DELETE /events', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.stop());

  test('deletes the queue on behalf of the caller', async () => {
    expect((await gateway.call(deleteQueue, { queue_id: 'q1' })).json).toEqual({ result: 'success', msg: '' });
    const { call } = gateway.events.seen.at(-1) as { call: object };
    expect(call).toMatchObject({ realmId: 2, userId: 11 });
  });

  test('says that a queue does not exist, or that none was named', async () => {
    gateway.events.answers.deleteQueue = async () => {
      throw new BadEventQueueIdError('q1');
    };
    expect((await gateway.call(deleteQueue, { queue_id: 'q1' })).json.code).toBe('BAD_EVENT_QUEUE_ID');
    const unnamed = await gateway.request({ method: 'DELETE', path: '/api/v1/events' });
    expect(unnamed.json).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING', var_name: 'queue_id' });
  });
});

describe('several events pods', () => {
  const QUEUES = Array.from({ length: 20 }, (_, index) => `queue-${index}`);
  let pods: [EventsPeer, EventsPeer];
  let gateway: TestGateway;

  beforeEach(async () => {
    const polls = createMailbox<WaitingPoll>();
    pods = [await startEvents(0, polls), await startEvents(0, polls)];
    gateway = await startGateway({ EVENTS_ADDRESS: pods.map(({ address }) => address).join(',') });
    await untilBothServe();
  });
  afterEach(async () => {
    await gateway.stop();
    await Promise.all(pods.map((pod) => pod.stop()));
  });

  /** Polls until each pod was used, so that both streams exist. */
  async function untilBothServe(): Promise<void> {
    const seen = new Set<number>();
    for (let attempt = 0; seen.size < pods.length; attempt += 1) {
      const answer = poll(gateway, `attempt-${attempt}`);
      const waiting = await pods[0].nextPoll(`attempt-${attempt}`);
      waiting.reply([]);
      await answer;
      seen.add(waiting.port);
    }
  }

  test('share the queues, each queue keeping to its pod', async () => {
    for (const queueId of QUEUES) {
      const ports: number[] = [];
      for (let round = 0; round < 2; round += 1) {
        const answer = poll(gateway, queueId);
        const waiting = await pods[0].nextPoll(queueId);
        waiting.reply(EVENTS);
        await answer;
        ports.push(waiting.port);
      }
      expect(ports[0]).toBe(ports[1]);
    }
  });

  test('take over from one that stops, without a client noticing', async () => {
    const answers = QUEUES.map((queueId) => poll(gateway, queueId));
    const [gone, stays] = pods;
    const asked = await Promise.all(QUEUES.map((queueId) => gone.nextPoll(queueId)));
    expect(new Set(asked.map(({ port }) => port)).size).toBe(2);
    await gone.stop();
    for (const first of asked) {
      const last = first.port === gone.port ? await stays.nextPoll(first.request.queueId) : first;
      expect(last.port).toBe(stays.port);
      expect(last.request).toEqual(first.request);
      last.reply(EVENTS);
    }
    expect((await Promise.all(answers)).map(({ json }) => json)).toEqual(QUEUES.map((queueId) => answerWith(queueId)));
  });
});

test('a pod of the version before is asked with a message for each poll', async () => {
  const pod = await startEvents(0, createMailbox<WaitingPoll>(), true);
  const gateway = await startGateway({ EVENTS_ADDRESS: pod.address });
  const answers = ['q1', 'q2'].map((queueId) => poll(gateway, queueId));
  for (const queueId of ['q2', 'q1']) (await pod.nextPoll(queueId)).reply(EVENTS);
  expect((await Promise.all(answers)).map(({ json }) => json)).toEqual([answerWith('q1'), answerWith('q2')]);
  expect(pod.frameLengths).toEqual([]);
  await gateway.stop();
  await pod.stop();
});

describe('without any events pod', () => {
  test('a poll waits for one to come back', async () => {
    const gateway = await startGateway();
    await gateway.events.stop();
    const answer = poll(gateway, 'q1');
    const returned = await startEvents(gateway.events.port);
    (await returned.nextPoll('q1')).reply(EVENTS);
    expect((await answer).json).toEqual(answerWith('q1'));
    await gateway.stop();
    await returned.stop();
  });

  test('a poll is given up after a while, with an error that invites another try', async () => {
    const clock = createFakeClock();
    const gateway = await startGateway({ EVENTS_ADDRESS: '127.0.0.1:1' }, { clock });
    const answer = poll(gateway, 'q1');
    // The poll is lost after the caller is known; only later time counts.
    while (!gateway.realm.seen.some(({ method }) => method === 'authenticate')) await new Promise(setImmediate);
    let isAnswered = false;
    void answer.finally(() => {
      isAnswered = true;
    });
    while (!isAnswered) {
      clock.advance(GIVE_UP_MS / 4);
      await new Promise(setImmediate);
    }
    expect(await answer).toMatchObject({ status: 503, json: { code: 'SERVER_NOT_READY' } });
    await gateway.stop();
  });
});
