import { type Entry, findEmoji } from './find-emoji';

const entry = (code: string, ...names: string[]): Entry => ({
  ...{ emoji_code: code, emoji_name: names[0] as string, reaction_type: 'unicode_emoji', names, text: '' },
});
const entries = [
  entry('1', 'heart'),
  entry('2', 'broken_heart'),
  entry('3', 'sweetheart'),
  entry('4', 'heart_eyes'),
  entry('5', 'smile', 'happy'),
];
const names = (word: string, used: string[] = []) =>
  findEmoji(entries, word, 9, used).map(({ emoji_name }) => emoji_name);

test.each([
  ['heart', ['heart', 'heart_eyes', 'broken_heart', 'sweetheart']],
  ['Heart eyes', ['heart_eyes']],
  ['happ', ['smile']],
  ['nothing', []],
])('%s', (word, expected) => expect(names(word)).toEqual(expected));

test('of those that are about as good, used ones come first', () => {
  expect(names('heart_', ['unicode_emoji/4'])[0]).toBe('heart_eyes');
});
