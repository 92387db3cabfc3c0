import { findEmojiCode, findEmojiName } from '.';

test('every name leads to the code, the code to one of the names', () => {
  expect([findEmojiCode('grinning'), findEmojiCode('happy')]).toEqual(['1f600', '1f600']);
  expect(findEmojiName('1f600')).toBe('grinning');
});

test('there is nothing under other names and codes', () => {
  expect([findEmojiCode('no_such_emoji'), findEmojiCode(''), findEmojiCode('constructor')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(findEmojiName('1F600')).toBeUndefined();
});
