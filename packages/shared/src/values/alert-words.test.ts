import { alertFinder } from './alert-words';

const has = (content: string, word: string, addedAtMs = 5, sentAtMs = 5) =>
  alertFinder(content, sentAtMs)([{ word, addedAtMs }]);

describe('an alert word', () => {
  test.each([
    ['lunch', 'lunch'],
    ['Is LUNCH ready?', 'lunch'],
    ['is lunch ready?', 'Lunch'],
    ['(lunch)', 'lunch'],
    ['**lunch**', 'lunch'],
    ['`lunch`', 'lunch'],
    ['> lunch: now', 'lunch'],
    ['brunch\nlunch\ndinner', 'lunch'],
    ['prelunch, lunch', 'lunch'],
    ['free lunch!', 'free lunch'],
    ['where is c++?', 'c++'],
    ['```\ncode\n```\nlunch', 'lunch'],
  ])('stands in %j: %s', (content, word) => {
    expect(has(content, word)).toBe(true);
  });

  test.each([
    ['launch', 'lunch'],
    ['lunches', 'lunch'],
    ['brunch-lunch', 'lunch'],
    ['"lunch"', 'lunch'],
    ['```\nlunch\n```', 'lunch'],
    ['~~~ text\nlunch\n~~~\nthen', 'lunch'],
    ['```\nlunch never ends', 'lunch'],
    ['````\n```\nlunch\n````', 'lunch'],
  ])('does not stand in %j: %s', (content, word) => {
    expect(has(content, word)).toBe(false);
  });

  test('is searched in messages sent after it was added', () => {
    expect([has('lunch', 'lunch', 6, 5), has('lunch', 'lunch', 4, 5)]).toEqual([false, true]);
  });

  test('is found in the longest message at once', () => {
    const began = process.hrtime.bigint();
    has('``` \n'.repeat(2_000), 'lunch');
    has('a'.repeat(10_000), 'a');
    has(`${'`'.repeat(9_900)}\nlunch`, 'lunch');
    has(`\`\`\`\n${'`'.repeat(9_900)}x\nlunch`, 'lunch');
    expect(Number(process.hrtime.bigint() - began) / 1e6).toBeLessThan(500);
  });
});
