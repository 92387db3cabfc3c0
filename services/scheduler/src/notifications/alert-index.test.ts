import { alertFinder, SeededRandom } from '@parley/shared/values';
import { AlertIndex } from './alert-index';

const owned = (userId: number, word: string, addedAtMs = 0) => ({ userId, word, addedAtMs });

test.each([
  ['lunch', 'Lunch?', true],
  ['lunch', 'lunchtime', false],
  ['a', 'a', true],
  ['to do', 'things to do, now', true],
  ['Größe', 'die GRÖSSE', false],
  ['ΣΟΦΟΣ', 'σοφος', true],
  ['lunch', '```\nlunch\n```', false],
  ['c++', 'about c++.', true],
])('%j in %j: %s', (word, content, isFound) => {
  expect([...new AlertIndex([owned(1, word)]).find(content, 1)]).toEqual(isFound ? [1] : []);
});

test('words count from when they were added', () => {
  const index = new AlertIndex([owned(1, 'lunch', 10), owned(2, 'lunch', 20), owned(3, 'dinner')]);
  expect([...index.find('lunch', 15)]).toEqual([1]);
});

test('finds the same people as the rule for each of them', () => {
  const random = new SeededRandom(7);
  const text = (length: number) => Array.from({ length }, () => random.pick([...'abAB .,(*`\n'])).join('');
  const words = Array.from({ length: 300 }, (_, userId) => owned(userId, text(1 + random.below(6)).trim() || 'a'));
  const index = new AlertIndex(words);
  let found = 0;
  for (let round = 0; round < 200; round += 1) {
    const content = text(40);
    const isAlert = alertFinder(content, 1);
    const expected = words.filter((word) => isAlert([word])).map(({ userId }) => userId);
    expect([...index.find(content, 1)].sort((a, b) => a - b)).toEqual(expected);
    found += expected.length;
  }
  expect(found).toBeGreaterThan(1_000);
});

test('words of some people are replaced, and those of others stay', () => {
  const index = new AlertIndex([owned(1, 'lunch'), owned(2, 'lunch'), owned(2, 'tea'), owned(3, 'dinner')]);
  const later = index.replaced([2, 3, 4], [owned(2, 'Lunch'), owned(2, 'cake'), owned(4, 'tea')]);
  const find = (content: string) => [...later.find(content, 1)].sort((a, b) => a - b);
  expect(['lunch', 'tea', 'cake', 'dinner'].map(find)).toEqual([[1, 2], [4], [2], []]);
  expect([...index.find('lunch tea cake dinner', 1)].sort((a, b) => a - b)).toEqual([1, 2, 3]);
  expect(later.bytes).toBe(index.bytes);
});

test('one person among fifty thousand words is replaced in less than a slow turn', () => {
  const words = Array.from({ length: 50_000 }, (_, n) => owned(n % 20_000, `word ${n % 10_000}`));
  const index = new AlertIndex(words);
  const began = process.cpuUsage();
  expect([...index.replaced([7], [owned(7, 'lunch')]).find('lunch', 1)]).toEqual([7]);
  expect(process.cpuUsage(began).user / 1000).toBeLessThan(50);
});

test('the longest message among fifty thousand words takes less than a slow turn', () => {
  const words = Array.from({ length: 50_000 }, (_, n) => owned(n, `${'a '.repeat(n % 45)}a${n}`));
  const index = new AlertIndex(words);
  const content = 'a '.repeat(5_000);
  const began = process.cpuUsage();
  index.find(content, 1);
  const { user } = process.cpuUsage(began);
  expect(user / 1000).toBeLessThan(200);
});
