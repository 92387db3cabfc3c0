import type { Caller } from '@parley/shared/rpc';
import { contextOfTests, ownerOfEachTest } from '../../test/each-test';
import { newUser } from '../../test/examples';
import { publicEvents } from '../../test/public-events';
import { getRegisterState } from '../register/get-register-state';
import { addAlertWords, getAlertWords, removeAlertWords } from './alert-words';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);

const add = async (caller: Caller, ...words: string[]) => (await addAlertWords(ctx, caller, { words })).words;
const remove = async (caller: Caller, ...words: string[]) => (await removeAlertWords(ctx, caller, { words })).words;
const announced = async () => (await publicEvents(ctx, olivia, 'alert_words')).map(({ event }) => event['alert_words']);

test('words are stored in the order of addition, trimmed and distinct regardless of case', async () => {
  expect(await add(olivia, ' Zebra ', 'apple', '', '  ', 'ZEBRA')).toEqual(['Zebra', 'apple']);
  expect(await add(olivia, 'APPLE', 'two words')).toEqual(['Zebra', 'apple', 'two words']);
  expect(await getAlertWords(ctx, olivia)).toEqual({ words: ['Zebra', 'apple', 'two words'] });
  expect((await getRegisterState(ctx, olivia)).personal?.alertWords).toEqual(['Zebra', 'apple', 'two words']);
});

test('words are removed in any casing, and unknown ones are ignored', async () => {
  await add(olivia, 'Zebra', 'apple');
  expect(await remove(olivia, ' zebra', 'pear')).toEqual(['apple']);
});

test('changes announce all words to the user only', async () => {
  await add(olivia, 'a', 'b');
  await add(olivia, 'A');
  await add(olivia);
  await remove(olivia, 'c');
  await remove(olivia, 'a');
  expect(await announced()).toEqual([['a', 'b'], ['b']]);
  const [first] = await publicEvents(ctx, olivia, 'alert_words');
  expect(first?.audience).toEqual({ to: 'users', userIds: [olivia.userId] });
});

test('words belong to their user only', async () => {
  const iago = await newUser(ctx, olivia);
  await add(olivia, 'a');
  expect(await add(iago, 'a', 'b')).toEqual(['a', 'b']);
  await remove(iago, 'a');
  expect(await getAlertWords(ctx, olivia)).toEqual({ words: ['a'] });
});

test('of words added at once none is lost, and the last event has them all', async () => {
  await Promise.all(['a', 'b', 'c', 'd'].map((word) => add(olivia, word)));
  const events = await announced();
  expect(events.at(-1)).toHaveLength(4);
  expect(events.at(-1)).toEqual((await getAlertWords(ctx, olivia)).words);
});

test.each([
  [['ok', 'x'.repeat(101)], 'alert_words[1] is too long (limit: 100 characters)'],
  [['a\0b'], 'Invalid character in alert_words[0], at position 2.'],
  [Array.from({ length: 1_001 }, (_, n) => String(n)), 'alert_words is too long (limit: 1000 items)'],
])('refuses lists like %#', async (words, message) => {
  await expect(add(olivia, ...words)).rejects.toThrow(message);
  await expect(remove(olivia, ...words)).rejects.toThrow(message);
  expect(await getAlertWords(ctx, olivia)).toEqual({ words: [] });
});

test('refuses more words than can be searched in a message', async () => {
  await add(olivia, ...Array.from({ length: 1_000 }, (_, n) => String(n)));
  await expect(add(olivia, 'one more')).rejects.toThrow('You cannot have more than 1000 alert words.');
  expect(await add(olivia, '5')).toHaveLength(1_000);
});
