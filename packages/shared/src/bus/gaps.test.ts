import type { Sql } from '../db';
import { Gaps } from './gaps';

/** A database whose transaction ids are set by the test. */
function horizon(xmin: number, xmax: number): Sql {
  return { query: async <Row>() => [{ xmin, xmax }] as Row[] };
}

describe('gaps', () => {
  let now = 0;
  beforeEach(() => {
    now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => jest.restoreAllMocks());

  test('are the ids between those that were seen', () => {
    const gaps = new Gaps([]);
    gaps.notice([3, 4, 7], 1);
    expect(gaps.ids).toEqual([2, 5, 6]);
    gaps.notice([5, 9], 7);
    expect(gaps.ids).toEqual([2, 6, 8]);
  });

  test('are forgotten when all transactions that could fill them have ended, not before', async () => {
    const gaps = new Gaps([2]);
    expect(await gaps.forgetDead(horizon(90, 100))).toBe(false);
    now = 11_000;
    expect(await gaps.forgetDead(horizon(90, 100))).toBe(false); // 100 is the first that is too young
    now = 22_000;
    expect(await gaps.forgetDead(horizon(99, 200))).toBe(false); // 99 is still running
    now = 33_000;
    expect(await gaps.forgetDead(horizon(100, 300))).toBe(true);
    expect(gaps.ids).toEqual([]);
  });
});
