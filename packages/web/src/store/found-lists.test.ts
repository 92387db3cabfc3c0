import { setTimeout as wait } from 'node:timers/promises';
import '../../test/empty-page';
import { FakeServer } from '../../test/fake-server';
import { registered } from '../../test/registered';
import type { Narrow } from '../narrow/narrow';
import { listAt } from './message-lists';
import { takeNews } from './model';
import { place } from './place';

const STARRED: Narrow = { kind: 'starred' };
const REACTED: Narrow = { kind: 'search', terms: [{ operator: 'has', operand: 'reaction' }] };
const SOUP: Narrow = { kind: 'search', terms: [{ operator: 'search', operand: 'soup' }] };
const MENTIONS: Narrow = { kind: 'mentions' };
const UNREAD: Narrow = { kind: 'search', terms: [{ operator: 'is', operand: 'unread' }] };

const server = new FakeServer();
/** The messages that the server finds in any narrow. */
let found: number[] = [];

beforeAll(() => server.start());
afterAll(() => server.stop());
beforeEach(async () => {
  found = [1, 2];
  server.answer = ({ path }) => (path.endsWith('/matches_narrow') ? { messages: matches() } : page());
  takeNews({ kind: 'state', state: { ...registered(), starred_messages: [1, 2] } });
  place.value = { narrow: { kind: 'inbox' } };
  await settled();
  server.sent.length = 0;
});

const matches = () => Object.fromEntries(found.map((id) => [id, { match_content: `<b>${id}</b>`, match_subject: '' }]));
const page = () => ({ anchor: 0, messages: found.map(written), found_oldest: true, found_newest: true });

function written(id: number) {
  return {
    ...{ id, sender_id: 9, sender_full_name: 'Ann', avatar_url: null, content: '<p>Soup</p>', timestamp: id },
    ...{ type: 'stream', stream_id: 5, subject: 'lunch', display_recipient: 'general', reactions: [], flags: [] },
    ...{ submessages: [] },
  };
}

/** All answers have come. */
const settled = () => wait(5);

/** Shows the view; the numbers of its messages. */
async function look(narrow: Narrow): Promise<readonly number[]> {
  place.value = { narrow };
  await settled();
  return listAt({ narrow }).ids.value;
}

async function tell(event: Record<string, unknown>): Promise<void> {
  takeNews({ kind: 'events', events: [{ id: 1, type: '', ...event }] });
  await settled();
}

const flag = (name: string, ids: number[], op = 'add') =>
  tell({ type: 'update_message_flags', op, flag: name, messages: ids, all: false });
const edit = (id: number, flags: string[]) => {
  const text = { rendered_content: '<p>New</p>', orig_rendered_content: '', content: 'New', orig_content: '' };
  return tell({ type: 'update_message', message_id: id, message_ids: [id], flags, edit_timestamp: 9, ...text });
};
const react = (id: number) =>
  tell({
    ...{ type: 'reaction', op: 'add', message_id: id, user_id: 9 },
    ...{ emoji_name: 'heart', emoji_code: '2764', reaction_type: 'unicode_emoji' },
  });
const write = (id: number) => tell({ type: 'message', flags: [], message: written(id) });

test.each<[string, Narrow, (id: number) => Promise<void>]>([
  ['a star', STARRED, (id) => flag('starred', [id])],
  ['a mention that an edit adds', MENTIONS, (id) => edit(id, ['mentioned'])],
  ['a reaction', REACTED, react],
  ['an edit', SOUP, (id) => edit(id, [])],
  ['a new message', SOUP, write],
])('%s is in its view, seen at once or when somebody comes back', async (_, narrow, change) => {
  expect(await look(narrow)).toEqual([1, 2]);
  found.push(3);
  await change(3);
  expect(listAt({ narrow }).ids.value).toEqual([1, 2, 3]);
  found.push(4);
  place.value = { narrow: { kind: 'inbox' } };
  await change(4);
  expect(await look(narrow)).toEqual([1, 2, 3, 4]);
});

test.each<[string, Narrow, () => Promise<void>]>([
  ['no star any more', STARRED, () => flag('starred', [2], 'remove')],
  ['no mention any more', MENTIONS, () => edit(2, [])],
  ['none of the words any more', SOUP, () => edit(2, [])],
])('a message with %s leaves the view', async (_, narrow, change) => {
  await look(narrow);
  found = [1];
  await change();
  expect(listAt({ narrow }).ids.value).toEqual([1]);
});

test('a message between others that comes to a view stands between them', async () => {
  found = [1, 5];
  await look(STARRED);
  found = [1, 3, 5];
  await flag('starred', [3]);
  expect(listAt({ narrow: STARRED }).ids.value).toEqual([1, 3, 5]);
});

test('unread messages that somebody looks at stay when they are read, until they come back', async () => {
  await look(UNREAD);
  found = [];
  await flag('read', [1, 2]);
  expect(listAt({ narrow: UNREAD }).ids.value).toEqual([1, 2]);
  place.value = { narrow: { kind: 'inbox' } };
  await flag('read', [7]);
  expect(await look(UNREAD)).toEqual([]);
});

test('the words that were searched for are marked in the text as it is now', async () => {
  await look(SOUP);
  const list = listAt({ narrow: SOUP });
  await edit(2, []);
  expect(list.matches.get(2)).toEqual({ content: '<b>2</b>', subject: '' });
  server.answer = () => {
    throw new TypeError('fetch failed');
  };
  await edit(2, []);
  expect(list.matches.get(2)).toBeUndefined();
  expect(list.isStale).toBe(true);
});

test('what has nothing to do with a view does not make the server search', async () => {
  await look(STARRED);
  await look(MENTIONS);
  server.sent.length = 0;
  await react(1);
  await edit(8, []);
  await flag('read', [8]);
  expect(await look(STARRED)).toEqual([1, 2]);
  expect(server.sent).toEqual([]);
});
