import { setTimeout as wait } from 'node:timers/promises';
import '../../test/empty-page';
import { FakeServer } from '../../test/fake-server';
import { registered } from '../../test/registered';
import { takeNews } from './model';
import { discard, outgoing, post, sendAgain } from './outbox';

const LUNCH = { kind: 'topic', channelId: 5, topic: 'lunch' } as const;
const server = new FakeServer();

beforeAll(() => server.start());
afterAll(() => server.stop());
beforeEach(() => {
  server.sent.length = 0;
  server.answer = () => ({ id: 7 });
  register('queue-1');
});

const register = (queueId: string) => takeNews({ kind: 'state', state: registered(queueId) });
/** The answers that were on their way are here. */
const settled = () => wait(1);

function arrive(id: number, localId: string): void {
  const message = { id, sender_id: 11, type: 'stream', stream_id: 5, subject: 'lunch', content: 'Soup?' };
  takeNews({
    kind: 'events',
    events: [{ id: 1, type: 'message', flags: ['read'], message, local_message_id: localId }],
  });
}

const lastId = () => outgoing.value.at(-1)?.localId as string;

test('a message is shown at once, until its event comes', async () => {
  post(LUNCH, 'Soup?');
  expect(outgoing.value).toMatchObject([{ narrow: LUNCH, content: 'Soup?', error: null }]);
  await settled();
  expect(outgoing.value).toMatchObject([{ content: 'Soup?', id: 7 }]);
  arrive(7, lastId());
  expect(outgoing.value).toEqual([]);
  expect(server.sent).toMatchObject([
    {
      method: 'POST',
      path: '/json/messages',
      parameters: { type: 'channel', to: 5, topic: 'lunch', content: 'Soup?' },
    },
  ]);
});

test('a message that may have been sent is sent again by the same name, although the queue is another one', async () => {
  server.answer = () => {
    throw new TypeError('fetch failed');
  };
  post({ kind: 'direct', userIds: [9] }, 'Soup?');
  await settled();
  expect(outgoing.value).toMatchObject([{ content: 'Soup?', error: null, isWaiting: true }]);

  server.answer = () => ({ id: 8 });
  register('queue-2');
  sendAgain(lastId());
  await settled();
  expect(outgoing.value).toMatchObject([{ id: 8 }]);
  const [first, second] = server.sent;
  expect(first?.headers['Idempotency-Key']).toMatch(/^\w+\.\w{8,}$/);
  expect(second?.headers['Idempotency-Key']).toBe(first?.headers['Idempotency-Key']);
  expect(server.sent.map(({ parameters }) => parameters['queue_id'])).toEqual(['queue-1', 'queue-2']);
  discard(lastId());
});

test('two messages with the same text have different names', async () => {
  post(LUNCH, 'Soup?');
  post(LUNCH, 'Soup?');
  await settled();
  expect(new Set(server.sent.map(({ headers }) => headers['Idempotency-Key'])).size).toBe(2);
  for (const { localId } of outgoing.value) discard(localId);
});

test('a message that the server refuses says why, until its author gives up', async () => {
  server.answer = () => ({ result: 'error', code: 'BAD_REQUEST', msg: 'Topic is too long' });
  post(LUNCH, 'Soup?');
  await settled();
  expect(outgoing.value).toMatchObject([{ error: 'Topic is too long' }]);
  sendAgain(lastId());
  await settled();
  expect(server.sent).toHaveLength(2);
  discard(lastId());
  expect(outgoing.value).toEqual([]);
});

test('the event of a message takes its place, when the answer comes later or never', async () => {
  server.answer = () => {
    throw new TypeError('fetch failed');
  };
  post(LUNCH, 'Soup?');
  await settled();
  arrive(7, lastId());
  expect(outgoing.value).toEqual([]);
});
