import type { User } from '@parley/shared/proto';
import { silentLogger } from '@parley/shared/service';
import { createFakeClock } from '@parley/shared/testing';
import { callerOf, type MessagesUnderTest, startMessages } from '../../test/start-messages';
import { deleteExpiredSendKeysPeriodically } from '../send-keys/send-keys';

const clock = createFakeClock();
let network: MessagesUnderTest;
let ann: User;
let bob: User;

beforeAll(async () => {
  network = await startMessages({ clock });
  [ann, bob] = [network.realm.addUser('Ann'), network.realm.addUser('Bob')];
});
beforeEach(async () => {
  await network.service.db.query('delete from saved_snippet');
  await network.service.db.query('delete from outbox');
});
afterAll(() => network.stop());

const snippetsOf = async (user: User) => (await network.client.getSavedSnippets(callerOf(user), {})).savedSnippets;
const create = async (user: User, title: string, content: string) =>
  (await network.client.createSavedSnippet(callerOf(user), { title, content })).savedSnippetId;
const update = (user: User, savedSnippetId: number, changes: { title?: string; content?: string }) =>
  network.client.updateSavedSnippet(callerOf(user), { savedSnippetId, ...changes });
const remove = (user: User, savedSnippetId: number) =>
  network.client.deleteSavedSnippet(callerOf(user), { savedSnippetId });
const announced = async () =>
  (
    await network.service.db.query<{ kind: string; payload: string }>('select kind, payload from outbox order by id')
  ).map(({ kind, payload }) => [kind, JSON.parse(payload)]);
const MISSING = {
  name: 'NothingToDoError',
  message: 'Saved snippet does not exist.',
  code: 'BAD_REQUEST',
  httpStatus: 404,
};

test('snippets are trimmed, listed oldest first, and announced to their owner only', async () => {
  const [hello, bye] = [await create(ann, ' Hello ', '\nHi **all** '), await create(ann, 'Bye', 'See you')];
  const snippet = { id: hello, title: 'Hello', content: 'Hi **all**', createdAtMs: clock.now() };
  expect(await snippetsOf(ann)).toEqual([snippet, expect.objectContaining({ id: bye })]);
  expect(await snippetsOf(bob)).toEqual([]);
  expect((await announced())[0]).toEqual(['saved-snippet.added', { userId: ann.id, savedSnippet: snippet }]);
});

test.each([
  ['', 'x', 'title cannot be blank'],
  ['x', ' \n', 'content cannot be blank'],
  ['x'.repeat(61), 'x', 'title is too long (limit: 60 characters)'],
  ['x', 'x'.repeat(10_001), 'content is too long (limit: 10000 characters)'],
  ['a\0', 'x', 'title must not contain null bytes'],
])('%j with %j is refused', async (title, content, message) => {
  await expect(create(ann, title, content)).rejects.toThrow(message);
  const id = await create(ann, 'Hello', 'Hi');
  await expect(update(ann, id, { title, content })).rejects.toThrow(message);
});

test('a snippet may have sixty characters of any kind in its title', async () => {
  await create(ann, '🙂'.repeat(60), 'x');
  expect(await snippetsOf(ann)).toHaveLength(1);
});

test('an update keeps absent fields, and is announced only if something changes', async () => {
  const id = await create(ann, 'Hello', 'Hi');
  await update(ann, id, { title: 'Greeting' });
  await update(ann, id, { content: ' Hi ' });
  await update(ann, id, {});
  const snippet = { id, title: 'Greeting', content: 'Hi', createdAtMs: clock.now() };
  expect(await snippetsOf(ann)).toEqual([snippet]);
  expect((await announced()).slice(1)).toEqual([['saved-snippet.changed', { userId: ann.id, savedSnippet: snippet }]]);
});

test('a snippet is deleted once; those of others do not exist', async () => {
  const id = await create(ann, 'Hello', 'Hi');
  await expect(remove(bob, id)).rejects.toMatchObject(MISSING);
  await expect(update(bob, id, { title: 'x' })).rejects.toMatchObject(MISSING);
  await remove(ann, id);
  expect((await announced()).at(-1)).toEqual(['saved-snippet.removed', { userId: ann.id, savedSnippetId: id }]);
  await expect(remove(ann, id)).rejects.toMatchObject(MISSING);
  await expect(remove(ann, Number.MAX_SAFE_INTEGER)).rejects.toMatchObject(MISSING);
  await expect(update(ann, id, {})).rejects.toMatchObject(MISSING);
});

test('their number is bounded', async () => {
  await network.service.db.query(
    `insert into saved_snippet (realm_id, user_id, title, content, created_at)
     select 1, $1, 'x', 'x', now() from generate_series(1, 1000)`,
    [ann.id],
  );
  await expect(create(ann, 'x', 'x')).rejects.toThrow('There are too many saved snippets; delete some of them first.');
});

describe('a snippet that is saved again with its key', () => {
  const DAY_MS = 24 * 60 * 60_000;
  const keyed = async (user: User, content: string, idempotencyKey = 'k') => {
    const request = { title: 'Keyed', content, idempotencyKey };
    return (await network.client.createSavedSnippet(callerOf(user), request)).savedSnippetId;
  };
  beforeEach(() => network.service.db.query('delete from request_key'));

  test('is the first one, also of concurrent ones, and is announced once', async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, () => keyed(ann, 'Hi')));
    ids.push(await keyed(ann, 'Hi'));
    expect(new Set(ids).size).toBe(1);
    expect(await snippetsOf(ann)).toHaveLength(1);
    expect(await announced()).toHaveLength(1);
  });

  test('is refused with another content, whether the first one is done or under way', async () => {
    const outcomes = await Promise.allSettled([keyed(ann, 'Hi'), keyed(ann, 'Ho')]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(keyed(ann, 'He')).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED', httpStatus: 400 });
    expect(await snippetsOf(ann)).toHaveLength(1);
  });

  test('is another one with another key, of another owner, and after a day', async () => {
    const ids = [await keyed(ann, 'Hi'), await keyed(ann, 'Hi', 'other'), await keyed(bob, 'Hi')];
    clock.advance(DAY_MS + 1);
    ids.push(await keyed(ann, 'Hi'));
    expect(new Set(ids).size).toBe(4);
    await keyed(ann, 'Hi');
    expect(await snippetsOf(ann)).toHaveLength(3);
    await network.service.db.query('delete from saved_snippet where user_id = $1', [bob.id]);
  });

  test('is the first one still when it was deleted, or there is no room for more', async () => {
    const id = await keyed(ann, 'Hi');
    await remove(ann, id);
    await network.service.db.query(
      `insert into saved_snippet (realm_id, user_id, title, content, created_at)
       select 1, $1, 'x', 'x', now() from generate_series(1, 1000)`,
      [ann.id],
    );
    expect(await keyed(ann, 'Hi')).toBe(id);
  });

  test('is forgotten after a day', async () => {
    const { db } = network.service;
    const letPass = async (ms: number) => {
      const stop = deleteExpiredSendKeysPeriodically({ db, clock, log: silentLogger });
      clock.advance(ms);
      await stop();
    };
    const keys = async () => (await db.query<{ key: string }>('select key from request_key')).map(({ key }) => key);
    await keyed(ann, 'Hi');
    await letPass(DAY_MS);
    expect(await keys()).toEqual(['k']);
    await letPass(DAY_MS / 100);
    expect(await keys()).toEqual([]);
  });

  test('is not the first one when that was refused', async () => {
    await expect(keyed(ann, ' ')).rejects.toThrow('content cannot be blank');
    await keyed(ann, 'Hi');
    await expect(keyed(ann, 'Hi', 'x'.repeat(201))).rejects.toThrow('Invalid Idempotency-Key');
  });
});

test('register returns the requested parts', async () => {
  await create(ann, 'Hello', 'Hi');
  const caller = callerOf(ann);
  const all = await network.client.getWritings(caller, { includesDrafts: true, includesSavedSnippets: true });
  expect(all).toMatchObject({ drafts: [], savedSnippets: [{ title: 'Hello' }] });
  const none = await network.client.getWritings(caller, { includesDrafts: true, includesSavedSnippets: false });
  expect(none.savedSnippets).toEqual([]);
});
