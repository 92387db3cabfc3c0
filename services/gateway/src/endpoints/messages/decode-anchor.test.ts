import { decodeAnchor } from './decode-anchor';

test.each([
  ['newest', { anchorKind: 'newest' }],
  ['oldest', { anchorKind: 'oldest' }],
  ['first_unread', { anchorKind: 'first_unread' }],
  ['37', { anchor: 37 }],
  ['0', { anchorKind: 'oldest' }],
  ['-5', { anchorKind: 'oldest' }],
  ['9999999999999998', { anchor: 9999999999999998 }],
  ['10000000000000000', { anchorKind: 'newest' }],
  ['99999999999999999999', { anchorKind: 'newest' }],
])('%s', (sent, anchor) => {
  expect(decodeAnchor(sent, false)).toEqual(anchor);
});

test('use_first_unread_anchor overrides the anchor, whatever it is', () => {
  expect(decodeAnchor('nonsense', true)).toEqual({ anchorKind: 'first_unread' });
});

test.each([
  [undefined, "Missing 'anchor' argument."],
  ['', 'Invalid anchor'],
  ['3.5', 'Invalid anchor'],
  ['"newest"', 'Invalid anchor'],
  ['1e3', 'Invalid anchor'],
])('%j is refused', (sent, message) => {
  expect(() => decodeAnchor(sent, false)).toThrow(message);
});

test.each([
  ['2026-03-01', Date.UTC(2026, 2, 1)],
  ['2026-03-01T12:30', Date.UTC(2026, 2, 1, 12, 30)],
  ['2026-03-01T12:30:15.5Z', Date.UTC(2026, 2, 1, 12, 30, 15, 500)],
  ['2026-03-01T12:30:00+02:00', Date.UTC(2026, 2, 1, 10, 30)],
])('date: %s', (date, anchorDateMs) => {
  expect(decodeAnchor('date', false, date)).toEqual({ anchorKind: 'date', anchorDateMs });
});

test.each([
  [undefined, "Missing 'anchor_date' argument."],
  ['yesterday', 'Invalid anchor_date'],
  ['2026-13-01', 'Invalid anchor_date'],
  ['1', 'Invalid anchor_date'],
])('the date %j is refused', (date, message) => {
  expect(() => decodeAnchor('date', false, date)).toThrow(message);
});
