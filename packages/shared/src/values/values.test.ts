import {
  codePointLength,
  displayTopic,
  findForbiddenCharacter,
  findForbiddenInLines,
  topicFromInput,
  topicKey,
  truncate,
} from './index';

describe('lengths', () => {
  test.each([
    ['', 0],
    ['abc', 3],
    ['✔ done', 6],
    ['👍👍', 2],
    ['\ud83d', 1], // half of a pair
  ])('%j has %i code points', (text, length) => expect(codePointLength(text)).toBe(length));

  test.each([
    ['abcdef', 6, '...', 'abcdef'],
    ['abcdefg', 6, '...', 'abc...'],
    ['👍👍👍👍', 4, '...', '👍👍👍👍'],
    ['👍👍👍👍👍', 4, '...', '👍...'],
  ])('%j cut to %i', (text, limit, suffix, expected) => expect(truncate(text, limit, suffix)).toBe(expected));
});

describe('forbidden characters', () => {
  test.each([
    ['plain', null],
    ['with ✔ and 👍', null],
    ['', null],
    ['a\nb', 2],
    ['\t', 1],
    ['👍\u0000', 2],
    ['ab\ud800', 3],
    ['\ufffe', 1],
    ['\u{1ffff}', 1],
    ['\ufdd0', 1],
    ['\u0085', 1],
  ])('%j: first at %p', (text, position) => expect(findForbiddenCharacter(text)).toBe(position));

  test('lines may be broken and indented', () => {
    expect(findForbiddenInLines('a\r\n\tb')).toBeNull();
    expect(findForbiddenInLines('a\n\u0000')).toBe(3);
  });
});

describe('topics', () => {
  test.each([
    ['lunch', 'lunch'],
    ['  lunch ', 'lunch'],
    ['', ''],
    ['general chat', ''],
    ['General chat', 'General chat'],
    ['(no topic)', ''],
    ['x'.repeat(60), 'x'.repeat(60)],
    ['x'.repeat(61), `${'x'.repeat(57)}...`],
  ])('the input %j means %j', (input, topic) => expect(topicFromInput(input)).toBe(topic));

  test('are one when they differ in case only', () => expect(topicKey('Lunch ÄÖ')).toBe(topicKey('lunch äö')));

  test.each([
    ['', true, ''],
    ['', false, 'general chat'],
    ['lunch', false, 'lunch'],
  ])('%j is shown (empty understood: %p) as %j', (topic, isUnderstood, shown) =>
    expect(displayTopic(topic, isUnderstood)).toBe(shown),
  );
});
