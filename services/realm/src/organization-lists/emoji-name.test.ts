import { emojiNameFromInput } from './custom-emoji';

test.each([
  ['party', 'party'],
  [' green tick ', 'green_tick'],
  ['8-ball_2', '8-ball_2'],
])('the name %j is %s', (text, expected) => {
  expect(emojiNameFromInput(text)).toBe(expected);
});

const CHARACTERS = 'Emoji names must contain only lowercase English letters, digits, spaces, dashes, and underscores.';
const END = 'Emoji names must end with either a letter or digit.';

test.each([
  [' ', 'Emoji name is missing'],
  ['Party', CHARACTERS],
  ['pärty', CHARACTERS],
  ['party!', CHARACTERS],
  ['party\n2', CHARACTERS],
  ['party-', END],
  ['_', END],
  ['a'.repeat(101), 'emoji_name is too long (limit: 100 characters)'],
])('the name %j is refused', (text, message) => {
  expect(() => emojiNameFromInput(text)).toThrow(message);
});
