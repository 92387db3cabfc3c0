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
