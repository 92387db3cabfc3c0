import { setTimeout as wait } from 'node:timers/promises';
import '../../test/empty-page';
import { FakeServer, type Sent } from '../../test/fake-server';
import { registered } from '../../test/registered';
import type { Narrow } from '../narrow/narrow';
import { MessageList } from './message-list';
import { belongsTo, listAt, type Message, message } from './message-lists';
import { takeNews } from './model';

const LUNCH = { kind: 'topic', channelId: 5, topic: 'lunch' } as const;
const server = new FakeServer();

/** The messages of the server, each in a topic of channel 5. */
let stored: Message[] = [];

beforeAll(() => server.start());
afterAll(() => server.stop());
beforeEach(() => {
  server.sent.length = 0;
  server.answer = page;
  stored = ids(1, 300).map((id) => written(id));
  register();
});

const ids = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, at) => first + at);
const register = () => takeNews({ kind: 'state', state: registered() });

function written(id: number, changes: Partial<Message> = {}): Message {
  return {
    ...{ id, sender_id: 9, sender_full_name: 'Ann', avatar_url: null, content: '<p>Soup</p>', timestamp: id },
    ...{ type: 'stream', stream_id: 5, subject: 'lunch', display_recipient: 'general', reactions: [], flags: ['read'] },
    ...{ submessages: [] },
    ...changes,
  };
}

/** As GET /messages answers. */
function page({ parameters }: Sent): Record<string, unknown> {
  const { anchor: wanted, num_before, num_after } = parameters as Record<string, number>;
  const anchor = typeof wanted === 'number' ? wanted : 300;
  const before = stored.filter(({ id }) => id < anchor).slice(-(num_before as number) || stored.length);
  const from = stored.filter(({ id }) => id >= anchor).slice(0, (num_after as number) + 1);
  const messages = [...before, ...from];
  return {
    ...{ anchor, messages },
    found_oldest: messages[0] === stored[0],
    found_newest: messages.at(-1) === stored.at(-1),
  };
}

/** Lists take the messages of a turn together, at its end. */
const turn = () => Promise.resolve();

function arrive(message: Message): Promise<void> {
  takeNews({ kind: 'events', events: [{ id: 1, type: 'message', flags: message.flags, message }] });
  return turn();
}

async function opened(nearId?: number): Promise<MessageList> {
  const list = listAt(nearId === undefined ? { narrow: LUNCH } : { narrow: LUNCH, nearId });
  await list.open();
  return list;
}

test('a list opens at the first unread message, or at the one that the address names', async () => {
  const list = await opened();
  expect(server.sent[0]?.parameters).toMatchObject({
    anchor: 'first_unread',
    narrow: [
      { operator: 'channel', operand: 5 },
      { operator: 'topic', operand: 'lunch' },
    ],
  });
  expect(list.ids.value).toEqual(ids(260, 300));
  expect([list.hasOldest.value, list.hasNewest.value]).toEqual([false, true]);
  const near = await opened(100);
  expect(near.ids.value).toEqual(ids(60, 140));
  expect(near.anchorId.value).toBe(100);
});

test('a message that comes while the list is fetched is not lost', async () => {
  server.answer = async (sent) => {
    const answer = page(sent);
    await arrive(written(301));
    return answer;
  };
  const list = await opened();
  expect(list.ids.value.slice(-2)).toEqual([300, 301]);
});

test('what is deleted or moved while the list is fetched is so in the list', async () => {
  let attempt = 0;
  server.answer = async (sent) => {
    const answer = page(sent);
    attempt += 1;
    if (attempt === 1) {
      stored = stored.filter(({ id }) => id !== 299).map((each) => (each.id === 300 ? written(300, NOW_LATER) : each));
      await wait(1);
      const deletion = {
        type: 'delete_message',
        message_ids: [299],
        message_type: 'stream',
        stream_id: 5,
        topic: 'lunch',
      };
      const edit = { type: 'update_message', message_id: 300, message_ids: [300], flags: ['read'], edit_timestamp: 9 };
      takeNews({
        kind: 'events',
        events: [
          { id: 1, ...deletion },
          { id: 2, ...edit, rendered_content: 'Later' },
        ],
      });
    }
    return answer;
  };
  const list = await opened();
  expect(list.ids.value.slice(-2)).toEqual([298, 300]);
  expect(message(300)).toMatchObject(NOW_LATER);
});

const NOW_LATER = { content: 'Later', last_edit_timestamp: 9 };

test('who goes to the newest while older messages are fetched gets there', async () => {
  const list = await opened(100);
  await Promise.all([list.loadOlder(), list.show('newest')]);
  expect([list.ids.value.at(-1), list.anchorId.value, list.hasNewest.value]).toEqual([300, null, true]);
});

test('a list that must be fetched again while older messages are fetched is, once, after them', async () => {
  const list = await opened(100);
  list.seen = { id: 100, top: 0, scrollTop: 0, isAtEnd: false };
  const older = list.loadOlder();
  stored = stored.filter(({ id }) => id !== 111);
  await Promise.all([older, list.refresh(), list.refresh()]);
  expect(list.ids.value).not.toContain(111);
  expect(server.sent.map(({ parameters }) => parameters['anchor'])).toEqual([100, 60, 100]);
});

test('a list grows in both directions without gaps, and drops messages at the far end', async () => {
  const list = await opened(150);
  await list.loadOlder();
  await list.loadNewer();
  expect(list.ids.value).toEqual(ids(30, 270));
  await list.loadOlder();
  expect(list.ids.value).toEqual(ids(1, 250));
  expect([list.hasOldest.value, list.hasNewest.value]).toEqual([true, false]);
  await list.loadNewer();
  expect(list.ids.value).toEqual(ids(51, 300));

  stored = ids(1, 900).map((id) => written(id));
  const long = new MessageList(LUNCH, 450);
  await long.open();
  for (let at = 0; at < 5; at += 1) await long.loadOlder();
  expect(long.ids.value).toEqual(ids(10, 259));
  expect(long.hasNewest.value).toBe(false);
  await long.loadNewer();
  expect(long.ids.value).toEqual(ids(90, 339));
});

test('older messages do not take the newest away from somebody who is at the end', async () => {
  const list = await opened();
  list.seen = { id: 300, top: 0, scrollTop: 0, isAtEnd: true };
  for (let pages = 0; pages < 4; pages += 1) await list.loadOlder();
  expect([list.ids.value.at(-1), list.hasNewest.value, list.hasOldest.value]).toEqual([300, true, true]);
});

test('hundreds of messages that come at once take nothing away from somebody who reads further up', async () => {
  const list = await opened();
  list.seen = { id: 270, top: 0, scrollTop: 0, isAtEnd: false };
  stored.push(...ids(301, 900).map((id) => written(id)));
  const events = stored.slice(300).map((message, at) => ({ id: at, type: 'message', flags: message.flags, message }));
  takeNews({ kind: 'events', events });
  await turn();
  expect([list.ids.value, list.hasNewest.value]).toEqual([ids(260, 300), false]);
  await list.loadNewer();
  expect(list.ids.value.at(-1)).toBe(380);
});

test('a new message is at the end of the lists that it belongs to, unless there are others between', async () => {
  const list = await opened();
  await arrive(written(301));
  await arrive(written(301));
  await arrive(written(302, { subject: 'dinner' }));
  expect(list.ids.value).toEqual(ids(260, 301));
  const middle = await opened(100);
  await arrive(written(303));
  expect(middle.ids.value).toEqual(ids(60, 140));
});

test('messages leave a list when they are deleted, or moved elsewhere', async () => {
  const list = await opened();
  takeNews({
    kind: 'events',
    events: [
      { id: 1, type: 'delete_message', message_ids: [260], message_type: 'stream', stream_id: 5, topic: 'lunch' },
    ],
  });
  const moved = {
    orig_subject: 'lunch',
    subject: 'dinner',
    stream_id: 5,
    propagate_mode: 'change_one',
    flags: ['read'],
  };
  takeNews({
    kind: 'events',
    events: [{ id: 2, type: 'update_message', message_id: 261, message_ids: [261], ...moved }],
  });
  expect(list.ids.value).toEqual(ids(262, 300));
});

test('a message is there that came together with the deletion of another', async () => {
  const list = await opened();
  expect(list.ids.value.map(message)).not.toContain(undefined);
  const deletion = { id: 1, type: 'delete_message', message_ids: [260], message_type: 'stream', stream_id: 5 };
  const arrival = { id: 2, type: 'message', flags: ['read'], message: written(301) };
  takeNews({ kind: 'events', events: [{ ...deletion, topic: 'lunch' }, arrival] });
  await turn();
  expect(list.ids.value).toEqual(ids(261, 301));
});

test('events may tell what a fetched message has already', async () => {
  const thumb = { user_id: 9, emoji_name: '+1', emoji_code: '1f44d', reaction_type: 'unicode_emoji' };
  stored.push(written(301, { reactions: [thumb] }));
  const list = await opened();
  await arrive(stored.at(-1) as Message);
  const about = { type: 'reaction', message_id: 301, ...thumb };
  const events = [
    { id: 2, ...about, op: 'add' },
    { id: 3, ...about, op: 'add' },
    { id: 4, ...about, op: 'remove' },
    { id: 5, ...about, op: 'remove' },
  ];
  takeNews({ kind: 'events', events: events.slice(0, 2) });
  expect(list.ids.value.at(-1)).toBe(301);
  expect(message(301)?.reactions).toEqual([thumb]);
  takeNews({ kind: 'events', events: events.slice(2) });
  expect(message(301)?.reactions).toEqual([]);
});

test('who comes back to a channel sees what was said meanwhile', async () => {
  const channels = { streams: [], never_subscribed: [], unsubscribed: [] };
  takeNews({ kind: 'state', state: { ...registered(), ...channels } });
  await opened();
  stored.push(written(301));
  const streams = [{ stream_id: 5, name: 'general', can_administer_channel_group: 1, subscribers: [] }];
  takeNews({ kind: 'events', events: [{ id: 1, type: 'stream', op: 'create', streams }] });
  const list = listAt({ narrow: LUNCH });
  while (list.isLoading.value) await wait(1);
  expect(list.ids.value.at(-1)).toBe(301);
});

test('who comes back to a channel sees messages as they were changed meanwhile', async () => {
  const channel = { stream_id: 5, name: 'general', can_administer_channel_group: 1 };
  const channels = { streams: [channel], never_subscribed: [], unsubscribed: [channel] };
  takeNews({ kind: 'state', state: { ...registered(), ...channels } });
  await opened();
  expect(message(300)?.content).toBe('<p>Soup</p>');
  stored = stored.map((each) => (each.id === 300 ? written(300, NOW_LATER) : each));
  const subscriptions = [{ ...channel, subscribers: [], subscriber_count: 1 }];
  takeNews({ kind: 'events', events: [{ id: 1, type: 'subscription', op: 'add', subscriptions }] });
  expect(message(300)?.content).toBe('<p>Soup</p>');
  const list = listAt({ narrow: LUNCH });
  while (list.isLoading.value) await wait(1);
  expect(message(300)).toMatchObject(NOW_LATER);
});

test('a list is fetched anew after a new registration, and the same one is opened again before', async () => {
  const list = await opened();
  expect(await opened()).toBe(list);
  register();
  expect(list.isOutOfDate).toBe(true);
  expect(await opened()).not.toBe(list);
});

test('a list that could not be fetched says so', async () => {
  server.answer = () => {
    throw new TypeError('fetch failed');
  };
  const list = await opened();
  expect(list.error.value).toMatchObject({ message: 'fetch failed' });
  server.answer = page;
  await list.open();
  expect(list.error.value).toBeNull();
  expect(list.ids.value).toEqual(ids(260, 300));
});

const direct = written(1, { type: 'private', display_recipient: [11, 9].map((id) => ({ id, full_name: '' })) });
delete direct.stream_id;

test.each<[Narrow, Message, boolean | null]>([
  [{ kind: 'feed' }, written(1), true],
  [{ kind: 'inbox' }, written(1), false],
  [{ kind: 'channel', channelId: 5 }, written(1), true],
  [{ kind: 'channel', channelId: 6 }, written(1), false],
  [{ kind: 'topic', channelId: 5, topic: 'Lunch' }, written(1), true],
  [{ kind: 'topic', channelId: 5, topic: 'dinner' }, written(1), false],
  [{ kind: 'direct', userIds: [9] }, direct, true],
  [{ kind: 'direct', userIds: [9, 10] }, direct, false],
  [{ kind: 'channel', channelId: 5 }, direct, false],
  [{ kind: 'mentions' }, written(1, { flags: ['mentioned'] }), true],
  [{ kind: 'mentions' }, written(1, { flags: ['topic_wildcard_mentioned'] }), true],
  [{ kind: 'mentions' }, written(1), false],
  [{ kind: 'starred' }, written(1, { flags: ['starred'] }), true],
  [{ kind: 'search', terms: [{ operator: 'search', operand: 'soup' }] }, written(1), null],
])('%j has the message %j: %p', (narrow, each, belongs) => {
  expect(belongsTo(narrow, each)).toBe(belongs);
});
