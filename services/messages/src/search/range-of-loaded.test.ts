import { rangeOfLoaded } from './find-around';

const rows = (...ids: number[]) => ids.map((id) => ({ id }));
const whole = { anchor: 5, foundAnchor: true, foundOldest: true, foundNewest: true };
const found = { ids: [5, 4, 6, 3, 7], range: whole };

describe('the range of a page', () => {
  test('is the found range when all of it was loaded, or was deleted meanwhile', () => {
    expect(rangeOfLoaded(found, rows(3, 4, 5, 6, 7))).toEqual(whole);
    expect(rangeOfLoaded(found, rows(3, 4, 5, 7))).toEqual(whole);
    expect(rangeOfLoaded(found, [])).toEqual(whole);
  });

  test('does not reach the ends that were too much', () => {
    expect(rangeOfLoaded(found, rows(3, 4, 5, 6))).toEqual({ ...whole, foundNewest: false });
    expect(rangeOfLoaded(found, rows(4, 5, 6))).toEqual({ ...whole, foundOldest: false, foundNewest: false });
  });

  test('is refused of messages that were named', () => {
    const named = { ids: [1, 2], range: { foundAnchor: false, foundOldest: false, foundNewest: false } };
    expect(() => rangeOfLoaded(named, rows(1))).toThrow('These messages are too large to be requested together.');
    expect(rangeOfLoaded(named, rows(1, 2))).toEqual(named.range);
  });
});
