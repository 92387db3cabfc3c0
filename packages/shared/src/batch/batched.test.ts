import { batched } from './batched';

describe('batched', () => {
  test('runs a lone call at once and concurrent calls together', async () => {
    const sizes: number[] = [];
    const double = batched<number, number>(
      async (items) => {
        sizes.push(items.length);
        return items.map((item) => item * 2);
      },
      { maxItems: 10, maxInFlight: 1 },
    );
    expect(await double(1)).toBe(2);
    expect(await Promise.all([1, 2, 3].map(double))).toEqual([2, 4, 6]);
    expect(sizes).toEqual([1, 3]);
  });

  test('keeps to its bounds of items and of batches in flight', async () => {
    let inFlight = 0;
    let most = 0;
    const sizes: number[] = [];
    const slow = batched<number, number>(
      async (items) => {
        sizes.push(items.length);
        most = Math.max(most, ++inFlight);
        await new Promise(setImmediate);
        inFlight -= 1;
        return items;
      },
      { maxItems: 4, maxInFlight: 2 },
    );
    await Promise.all(Array.from({ length: 19 }, (_, index) => slow(index)));
    expect(most).toBe(2);
    expect(Math.max(...sizes)).toBe(4);
    expect(sizes.reduce((a, b) => a + b)).toBe(19);
  });

  test('with a least time between batches, a lone call still runs at once', async () => {
    const spaced = batched<number, number>(async (items) => items, {
      maxItems: 10,
      maxInFlight: 1,
      everyMs: 3_600_000,
    });
    expect(await spaced(1)).toBe(1);
  });

  test('with a least time between batches, calls soon after another one run together', async () => {
    const begunAtMs: number[] = [];
    const sizes: number[] = [];
    const spaced = batched<number, number>(
      async (items) => {
        begunAtMs.push(performance.now());
        sizes.push(items.length);
        return items;
      },
      { maxItems: 10, maxInFlight: 1, everyMs: 300 },
    );
    await spaced(0);
    const others = [1, 2].map(spaced);
    await new Promise(setImmediate);
    await Promise.all([...others, spaced(3)]);
    expect(sizes).toEqual([1, 3]);
    const [first, second] = begunAtMs as [number, number];
    // Timers may be a millisecond early.
    expect(second - first).toBeGreaterThan(298);
  });

  test('an error among the results rejects its item only, a thrown one the whole batch', async () => {
    const picky = batched<number, number>(
      async (items) => items.map((item) => (item < 0 ? new Error(`no ${item}`) : item)),
      { maxItems: 10, maxInFlight: 1 },
    );
    const results = await Promise.allSettled([1, -1, 2].map(picky));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);

    const broken = batched<number, number>(() => Promise.reject(new Error('down')), { maxItems: 2, maxInFlight: 1 });
    const failures = await Promise.allSettled([1, 2, 3].map(broken));
    expect(failures.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  });

  test('runs concurrent items with the same key once', async () => {
    const seen: string[][] = [];
    const upper = batched<string, string>(
      async (items) => {
        seen.push(items);
        return items.map((item) => item.toUpperCase());
      },
      { maxItems: 10, maxInFlight: 1, keyOf: (item) => item },
    );
    expect(await Promise.all(['a', 'b', 'a'].map(upper))).toEqual(['A', 'B', 'A']);
    expect(await upper('a')).toBe('A');
    expect(seen).toEqual([['a', 'b'], ['a']]);
  });
});
