import { setTimeout as wait } from 'node:timers/promises';
import '../../test/empty-page';
import { FakeServer } from '../../test/fake-server';
import { quickTimers } from '../../test/quick-timers';
import { registered } from '../../test/registered';
import { type Message, remember } from './messages';
import { takeNews } from './model';
import { markRead } from './reading';

const server = new FakeServer();
quickTimers();
beforeAll(() => server.start());
afterAll(() => server.stop());

function unread(id: number): Message {
  return {
    ...{ id, sender_id: 9, sender_full_name: 'Ann', avatar_url: null, content: '<p>Soup</p>', timestamp: id },
    ...{ type: 'stream', stream_id: 5, subject: 'lunch', display_recipient: 'general', reactions: [], flags: [] },
    ...{ submessages: [] },
  };
}

const refusal = (status: number, code: string) => Response.json({ result: 'error', msg: 'No', code }, { status });

/** The ids that were marked by each request. */
const marked = () => server.sent.map(({ parameters }) => parameters['messages']);

test.each([
  ['the server is being restarted', refusal(503, 'SERVICE_UNAVAILABLE')],
  ['there were too many requests', refusal(429, 'RATE_LIMIT_HIT')],
  ['there is no network', null],
])('what was seen while %s is marked as read afterwards', async (_, answer) => {
  server.sent.length = 0;
  takeNews({ kind: 'state', state: registered() });
  remember([unread(1), unread(2)]);
  server.answer = () => {
    server.answer = () => ({});
    if (!answer) throw new TypeError('fetch failed');
    return answer;
  };
  markRead([1, 2]);
  while (server.sent.length < 2) await wait(1);
  expect(marked()).toEqual([
    [1, 2],
    [1, 2],
  ]);
});
