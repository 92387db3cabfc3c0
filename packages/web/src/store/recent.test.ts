import { setTimeout as wait } from 'node:timers/promises';
import '../../test/empty-page';
import { FakeServer } from '../../test/fake-server';
import { registered } from '../../test/registered';
import { takeNews } from './model';
import { hasAllRecent, loadMoreRecent, openRecent, recent } from './recent';

const server = new FakeServer();
beforeAll(() => server.start());
afterAll(() => server.stop());
beforeEach(async () => {
  server.sent.length = 0;
  server.answer = () => ({
    messages: [said(1, 'lunch', 9), said(2, 'lunch', 10), said(3, 'dinner', 9)],
    found_oldest: true,
  });
  takeNews({ kind: 'state', state: registered() });
});

function said(id: number, subject: string, senderId = 9) {
  const where = { type: 'stream', stream_id: 5, subject, display_recipient: 'general' };
  return { ...where, id, sender_id: senderId, timestamp: id, content: '', flags: ['read'], reactions: [] };
}

const tell = (event: Record<string, unknown>) =>
  takeNews({ kind: 'events', events: [{ id: 1, type: 'message', ...event }] });
const move = (ids: number[], to: Record<string, unknown>) =>
  tell({
    ...{ type: 'update_message', message_id: ids[0], message_ids: ids, flags: ['read'], propagate_mode: 'change_all' },
    ...{ stream_id: 5, orig_subject: 'lunch', ...to },
  });
const remove = (ids: number[]) =>
  tell({ type: 'delete_message', message_ids: ids, message_type: 'stream', stream_id: 5, topic: 'lunch' });

const shown = () =>
  recent.value.map(({ narrow, newestId, senderIds }) => [
    narrow.kind === 'topic' ? `${narrow.channelId} ${narrow.topic}` : narrow.userIds.join(),
    newestId,
    senderIds,
  ]);

test('conversations are in the order of their newest messages, with their senders', async () => {
  await openRecent();
  expect(shown()).toEqual([
    ['5 dinner', 3, [9]],
    ['5 lunch', 2, [10, 9]],
  ]);
  tell({ flags: [], message: said(4, 'Lunch') });
  expect(shown()[0]).toEqual(['5 Lunch', 4, [9, 10]]);
  await openRecent();
  expect(server.sent).toHaveLength(1);
});

test('a topic that is renamed, moved or deleted stands there once, as it is now', async () => {
  await openRecent();
  move([1, 2], { subject: '✔ lunch' });
  tell({ flags: [], message: said(4, '✔ lunch', 12) });
  expect(shown()).toEqual([
    ['5 ✔ lunch', 4, [12, 10, 9]],
    ['5 dinner', 3, [9]],
  ]);
  move([1, 2, 4], { orig_subject: '✔ lunch', new_stream_id: 6 });
  expect(shown()[0]).toEqual(['6 ✔ lunch', 4, [12, 10, 9]]);
  remove([4]);
  expect(shown()).toEqual([
    ['5 dinner', 3, [9]],
    ['6 ✔ lunch', 2, [10, 9]],
  ]);
  remove([1, 2]);
  expect(shown()).toEqual([['5 dinner', 3, [9]]]);
});

test('what happens while they are fetched is followed, and nothing stays of an earlier registration', async () => {
  await openRecent();
  takeNews({ kind: 'state', state: registered('another queue') });
  server.answer = async () => {
    await wait(1);
    remove([2]);
    tell({ flags: [], message: said(5, 'new') });
    return { messages: [said(1, 'lunch'), said(2, 'lunch')], found_oldest: true };
  };
  await openRecent();
  expect(shown()).toEqual([
    ['5 new', 5, [9]],
    ['5 lunch', 1, [9]],
  ]);
});

test('what could not be fetched is fetched when it is asked for again', async () => {
  server.answer = () => {
    throw new TypeError('fetch failed');
  };
  await expect(openRecent()).rejects.toThrow('fetch failed');
  server.answer = () => ({ messages: [said(8, 'lunch')], found_oldest: false });
  await openRecent();
  expect(hasAllRecent.value).toBe(false);
  server.answer = () => ({ messages: [said(7, 'older')], found_oldest: true });
  await loadMoreRecent();
  expect(server.sent.map(({ parameters }) => parameters['anchor'])).toEqual(['newest', 'newest', 8]);
  expect([shown().map(([name]) => name), hasAllRecent.value]).toEqual([['5 lunch', '5 older'], true]);
});
