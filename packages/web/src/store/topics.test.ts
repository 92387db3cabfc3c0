import { setTimeout as wait } from 'node:timers/promises';
import '../../test/empty-page';
import { effect } from '@preact/signals';
import { FakeServer } from '../../test/fake-server';
import { quickTimers } from '../../test/quick-timers';
import { registered } from '../../test/registered';
import { takeNews } from './model';
import { topicsOf } from './topics';

const server = new FakeServer();
quickTimers();
beforeAll(() => server.start());
afterAll(() => server.stop());
beforeEach(() => {
  server.sent.length = 0;
  takeNews({ kind: 'state', state: registered() });
});

const refusal = (status: number, code: string) => Response.json({ result: 'error', msg: 'No', code }, { status });

/** The names that somebody sees who looks at the channel, until they are what is expected. */
async function lookAt(channelId: number, expected: readonly string[]): Promise<void> {
  let shown: string[] | undefined;
  const end = effect(() => {
    shown = topicsOf(channelId)?.map(({ name }) => name);
  });
  while (JSON.stringify(shown) !== JSON.stringify(expected)) await wait(1);
  end();
}

test('the topics of a channel are there as soon as the server has time', async () => {
  server.answer = () => {
    server.answer = () => ({ topics: [{ name: 'lunch', max_id: 3 }] });
    return refusal(503, 'SERVICE_UNAVAILABLE');
  };
  await lookAt(5, ['lunch']);
  expect(server.sent).toHaveLength(2);
});

test('a channel that one may not read has no topics, and is asked about once', async () => {
  server.answer = () => refusal(400, 'BAD_REQUEST');
  await lookAt(6, []);
  expect(server.sent).toHaveLength(1);
});

test('a topic that begins while topics are fetched is there', async () => {
  server.answer = () => {
    const message = { id: 4, sender_id: 9, type: 'stream', stream_id: 7, subject: 'dinner', content: '' };
    takeNews({ kind: 'events', events: [{ id: 1, type: 'message', flags: ['read'], message }] });
    return { topics: [{ name: 'lunch', max_id: 3 }] };
  };
  await lookAt(7, ['dinner', 'lunch']);
});

test('topics are fetched once more if one was moved or deleted meanwhile', async () => {
  server.answer = () => {
    const deletion = { message_ids: [9], message_type: 'stream', stream_id: 8, topic: 'old' };
    takeNews({ kind: 'events', events: [{ id: 1, type: 'delete_message', ...deletion }] });
    server.answer = () => ({ topics: [{ name: 'lunch', max_id: 3 }] });
    return { topics: [{ name: 'old', max_id: 9 }] };
  };
  await lookAt(8, ['lunch']);
});
