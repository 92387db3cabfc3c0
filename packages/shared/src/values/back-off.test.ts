import { type BackOff, pauseMs } from './back-off';

test.each<[string, BackOff, number[]]>([
  ['twice as long each time', { firstMs: 500 }, [500, 1_000, 2_000, 4_000]],
  ['up to a bound', { firstMs: 500, lastMs: 1_500 }, [500, 1_000, 1_500, 1_500]],
  ['or in other steps', { firstMs: 200, growth: 4, lastMs: 12_800 }, [200, 800, 3_200, 12_800]],
])('pauses are %s', (_name, backOff, pauses) => {
  expect([1, 2, 3, 4].map((failures) => pauseMs(backOff, failures))).toEqual(pauses);
});

test.each([
  [0, 750],
  [0.5, 1_000],
  [1, 1_250],
])('a spread of a half with chance %d: %d ms of 1,000', (chance, expected) => {
  expect(pauseMs({ firstMs: 1_000, spread: 0.5 }, 1, chance)).toBe(expected);
});

test('after thousands of failures a pause is as long as its bound', () => {
  expect(pauseMs({ firstMs: 1, lastMs: 1_000 }, 5_000)).toBe(1_000);
});
