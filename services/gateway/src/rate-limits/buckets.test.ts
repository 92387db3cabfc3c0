import { Buckets, type Counts } from './buckets';

const LIMIT = { requests: 7, windowMs: 60_000 };
const NOW = 1_800_000_000_000;

function take(buckets: Buckets, key: string, count: number, nowMs = NOW): number[] {
  return Array.from({ length: count }, () => buckets.take(key, nowMs).retryAfterMs);
}

test('a bucket allows requests until it is empty, and then says when to retry', () => {
  const buckets = new Buckets(LIMIT);
  expect(buckets.take('a', NOW)).toMatchObject({ limit: 7, remaining: 6, retryAfterMs: 0 });
  expect(take(buckets, 'a', 6)).toEqual(Array(6).fill(0));
  const refused = buckets.take('a', NOW);
  expect(refused).toMatchObject({ limit: 7, remaining: 0 });
  expect(refused.retryAfterMs).toBeCloseTo(60_000 / 7, 0);
  expect(refused.fullAtMs).toBeCloseTo(NOW + 60_000, 0);
  expect(buckets.take('b', NOW)).toMatchObject({ remaining: 6 });
});

test('a bucket refills evenly, and refused requests do not count', () => {
  const buckets = new Buckets(LIMIT);
  take(buckets, 'a', 100);
  const later = NOW + Math.ceil(60_000 / 7);
  expect(buckets.waitMs('a', later - 10)).toBeGreaterThan(0);
  expect(buckets.waitMs('a', later)).toBe(0);
  expect(take(buckets, 'a', 2, later).map((waitMs) => waitMs > 0)).toEqual([false, true]);
  expect(buckets.take('a', NOW + 120_000)).toMatchObject({ remaining: 6 });
});

test('a clock that is set back refuses nobody for the time that it lost', () => {
  const buckets = new Buckets(LIMIT);
  take(buckets, 'a', 7);
  const earlier = NOW - 3_600_000;
  expect(buckets.waitMs('a', earlier)).toBe(0);
  expect(buckets.take('a', earlier)).toMatchObject({ remaining: 6, retryAfterMs: 0 });
  expect(buckets.take('a', earlier)).toMatchObject({ remaining: 5 });
});

test('requests counted by other gateways are subtracted, down to zero at most', () => {
  const buckets = new Buckets(LIMIT);
  buckets.add([['a', 5]], NOW);
  expect(buckets.take('a', NOW)).toMatchObject({ remaining: 1 });
  buckets.add([['a', 1_000]], NOW);
  expect(buckets.waitMs('a', NOW)).toBeCloseTo(60_000 / 7, 0);
});

describe('counts for other gateways', () => {
  test('are sent once, small ones only when they have added up', () => {
    const buckets = new Buckets({ requests: 100, windowMs: 60_000 });
    take(buckets, 'busy', 30);
    take(buckets, 'quiet', 5);
    expect(buckets.takeNewCounts(NOW, 10)).toEqual([['busy', 30]]);
    take(buckets, 'quiet', 8);
    expect(buckets.takeNewCounts(NOW, 10)).toEqual([['quiet', 13]]);
    expect(buckets.takeNewCounts(NOW, 10)).toEqual([]);
  });

  test('do not include full buckets', () => {
    const buckets = new Buckets(LIMIT);
    take(buckets, 'a', 3);
    expect(buckets.takeNewCounts(NOW + 60_000, 10)).toEqual([]);
    expect(buckets.takeNewCounts(NOW, 10)).toEqual([]);
  });

  test('are not sent back to their origin', () => {
    const [one, other] = [new Buckets(LIMIT), new Buckets(LIMIT)];
    take(one, 'a', 4);
    other.add(one.takeNewCounts(NOW, 10), NOW);
    expect(other.takeNewCounts(NOW, 10)).toEqual([]);
    expect(take(other, 'a', 4).map((waitMs) => waitMs > 0)).toEqual([false, false, false, true]);
  });

  test('are bounded; the rest is sent next time', () => {
    const buckets = new Buckets(LIMIT);
    for (const key of ['a', 'b', 'c']) take(buckets, key, 1);
    const batches: Counts[] = [buckets.takeNewCounts(NOW, 2), buckets.takeNewCounts(NOW, 2)];
    expect(batches.map((counts) => counts.map(([key]) => key))).toEqual([['a', 'b'], ['c']]);
  });
});

test('with too many keys, the least recently used ones are dropped', () => {
  const buckets = new Buckets({ requests: 1, windowMs: 60_000 }, 2);
  for (const key of ['a', 'b', 'c']) buckets.take(key, NOW);
  expect(['a', 'b', 'c'].map((key) => buckets.waitMs(key, NOW) > 0)).toEqual([false, true, true]);
});
