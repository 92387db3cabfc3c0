import { SeededRandom } from './seeded-random';

const series = (seed: number) => {
  const random = new SeededRandom(seed);
  return Array.from({ length: 1_000 }, () => random.next());
};

test('the same seed gives the same numbers, another seed others', () => {
  expect(series(7)).toEqual(series(7));
  expect(series(8)).not.toEqual(series(7));
});

test('numbers are spread evenly between 0 and 1', () => {
  const tenths = new Array(10).fill(0);
  for (const number of series(1)) tenths[Math.floor(number * 10)] += 1;
  for (const count of tenths) expect(Math.abs(count - 100)).toBeLessThan(40);
});

test.each([0, 1, 7, 12, 50])('a sample of %d out of 12 holds each at most once', (count) => {
  const list = Array.from({ length: 12 }, (_, index) => index);
  for (let seed = 0; seed < 50; seed += 1) {
    const sample = new SeededRandom(seed).sample(list, count);
    expect(sample).toHaveLength(Math.min(count, 12));
    expect(new Set(sample).size).toBe(sample.length);
    expect(list).toEqual(expect.arrayContaining(sample));
  }
});

test('a sample of nothing is empty', () => expect(new SeededRandom(1).sample([], 3)).toEqual([]));
