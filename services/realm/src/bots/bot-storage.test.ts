import { contextOfTests, ownerOfEachTest } from '../../test/each-test';
import { newUser, type Person } from '../../test/examples';
import { getBotStorage, putBotStorage, removeBotStorage, STORAGE_LIMITS } from './bot-storage';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);
let bot: Person;
beforeEach(async () => {
  bot = await newUser(ctx, olivia, { botType: 1, botOwnerEmail: olivia.email });
});

const entriesOf = (storage: Record<string, string>) => Object.entries(storage).map(([key, value]) => ({ key, value }));
const put = (storage: Record<string, string>, caller: Person = bot) =>
  putBotStorage(ctx, caller, { entries: entriesOf(storage) });
const get = async (keys?: string[], caller: Person = bot) => {
  const { entries } = await getBotStorage(ctx, caller, { keys: keys ? { keys } : null });
  return Object.fromEntries(entries.map(({ key, value }) => [key, value]));
};
const remove = (keys?: string[]) => removeBotStorage(ctx, bot, { keys: keys ? { keys } : null });

test('a bot stores values by key, for itself only', async () => {
  const other = await newUser(ctx, olivia, { botType: 1, botOwnerEmail: olivia.email });
  await put({ a: '1', b: '' });
  await put({ a: 'other' }, other);
  await put({ a: '2', c: '{"x":1}' });
  expect(await get()).toEqual({ a: '2', b: '', c: '{"x":1}' });
  expect(await get(['c', 'a', 'a'])).toEqual({ a: '2', c: '{"x":1}' });
  expect(await get([])).toEqual({});
  expect(await get(undefined, other)).toEqual({ a: 'other' });
});

test('keys are removed, all of them or none', async () => {
  await put({ a: '1', b: '2', c: '3' });
  await expect(remove(['a', 'x'])).rejects.toThrow('Key does not exist.');
  await remove(['a']);
  expect(await get()).toEqual({ b: '2', c: '3' });
  await remove();
  expect(await get()).toEqual({});
  await remove();
});

test.each([['x'], ['a\0']])('an unknown key is reported: %j', async (key) => {
  await put({ a: '1' });
  await expect(get(['a', key])).rejects.toMatchObject({ code: 'BAD_REQUEST', message: 'Key does not exist.' });
  await expect(remove([key])).rejects.toThrow('Key does not exist.');
});

test.each<[Record<string, string>, string]>([
  [{ '': '1' }, 'Keys cannot be blank'],
  [{ 'a\0': '1' }, 'storage must not contain null bytes'],
  [{ a: '\0' }, 'storage must not contain null bytes'],
  [{ ['x'.repeat(256)]: '1' }, 'Key is too long (limit: 255 characters)'],
])('refuses %j', async (storage, message) => {
  await expect(put({ fine: '1', ...storage })).rejects.toMatchObject({ code: 'BAD_REQUEST', message });
  expect(await get()).toEqual({});
});

describe('is bounded, also for concurrent requests:', () => {
  const { characters, keys } = STORAGE_LIMITS;
  afterEach(() => Object.assign(STORAGE_LIMITS, { characters, keys }));

  test('the number of characters, of keys and values', async () => {
    STORAGE_LIMITS.characters = 100;
    await put({ a: 'x'.repeat(99) });
    await put({ a: '😀'.repeat(99) });
    await expect(put({ bc: '1' })).rejects.toThrow(
      'Request exceeds storage limit by 3 characters. The limit is 100 characters.',
    );
    await put({ a: 'x', b: 'y'.repeat(97) });
    expect(Object.keys(await get())).toEqual(['a', 'b']);
  });

  test('the number of keys', async () => {
    STORAGE_LIMITS.keys = 3;
    const attempts = await Promise.allSettled(['a', 'b', 'c', 'd', 'e'].map((key) => put({ [key]: '1' })));
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(Object.keys(await get())).toHaveLength(3);
  });
});

test('people store nothing here', async () => {
  for (const attempt of [() => put({ a: '1' }, olivia), () => get(undefined, olivia)]) {
    await expect(attempt()).rejects.toMatchObject({ code: 'BAD_REQUEST', message: 'This endpoint is for bots only.' });
  }
});
