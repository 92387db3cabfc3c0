import { decodeAnchor, decodeNarrow, decodeQueueNarrow } from './narrow';

const decode = (value: unknown) => decodeNarrow('narrow', value);

describe('a term of a narrow', () => {
  test.each([
    ['as an object', { operator: 'channel', operand: 'social' }, { operator: 'channel', text: 'social' }],
    ['as a pair', ['topic', ''], { operator: 'topic', text: '' }],
    [
      'negated',
      { operator: 'is', operand: 'unread', negated: true },
      { operator: 'is', isNegated: true, text: 'unread' },
    ],
    ['with an id', { operator: 'sender', operand: 11 }, { operator: 'sender', id: 11 }],
    ['with ids', { operator: 'dm', operand: [11, 12] }, { operator: 'dm', ids: [11, 12], isList: true }],
    ['with no ids', { operator: 'dm', operand: [] }, { operator: 'dm', isList: true }],
    ['near anything at all', { operator: 'near', operand: 4711 }, { operator: 'near' }],
    ['near no message', ['near', ''], { operator: 'near' }],
    ['by an old name: stream', ['stream', 'social'], { operator: 'channel', text: 'social' }],
    ['by an old name: streams', ['streams', 'public'], { operator: 'channels', text: 'public' }],
    ['by an old name: pm-with', ['pm-with', 'a@x'], { operator: 'dm', text: 'a@x' }],
    ['by an old name: pm_with', { operator: 'pm_with', operand: [1] }, { operator: 'dm', ids: [1], isList: true }],
    ['by an old name: group_pm_with', ['group_pm_with', 'a@x'], { operator: 'group-pm-with', text: 'a@x' }],
    ['by an old operand: is:private', ['is', 'private'], { operator: 'is', text: 'dm' }],
    ['of an unknown operator, which messages will name', ['constructor', 'x'], { operator: 'constructor', text: 'x' }],
  ])('%s', (_case, sent, term) => {
    expect(decode([sent])).toEqual([{ isNegated: false, ids: [], isList: false, ...term }]);
  });
});

describe('a narrow is refused:', () => {
  test.each([
    ['no list', {}, 'narrow is not a list'],
    ['a number as term', [3], 'Invalid narrow[0]: Value error, dict or list required'],
    ['null as term', [null], 'Invalid narrow[0]: Value error, dict or list required'],
    ['a short pair', [['is']], 'Invalid narrow[0]: Value error, element is not a string pair'],
    ['a pair with a number', [['id', 3]], 'Invalid narrow[0]: Value error, element is not a string pair'],
    ['the second term', [['is', 'dm'], {}], 'Invalid narrow[1]: Value error, operand is missing'],
    ['no operand', [{ operator: 'is' }], 'Invalid narrow[0]: Value error, operand is missing'],
    ['null as operand', [{ operator: 'is', operand: null }], 'Invalid narrow[0]: Value error, operand is missing'],
    ['no operator', [{ operand: 'x' }], 'Invalid narrow[0]: Value error, operator is missing'],
    ['a number as operator', [{ operator: 3, operand: 'x' }], 'narrow[0]["operator"] is not a string'],
    ['a text as negated', [{ operator: 'is', operand: 'dm', negated: 'no' }], 'narrow[0]["negated"] is not a boolean'],
    ['a list for a channel', [{ operator: 'channel', operand: [1] }], 'operand is not a string or integer'],
    ['a fraction for a sender', [{ operator: 'sender', operand: 1.5 }], 'operand is not a string or integer'],
    ['a number for dm', [{ operator: 'dm', operand: 9 }], 'operand is not a string or an integer list'],
    ['addresses in a list', [{ operator: 'dm', operand: ['a@x'] }], 'operand is not a string or an integer list'],
    ['a number for a topic', [{ operator: 'topic', operand: 3 }], 'operand is not a string'],
    ['an empty search', [{ operator: 'search', operand: ' ' }], 'operand cannot be blank.'],
  ])('%s', (_case, sent, message) => {
    expect(() => decode(sent)).toThrow(new Error(message));
  });
});

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

test('use_first_unread_anchor overrides the anchor', () => {
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

const decodeForQueue = (value: unknown) => decodeQueueNarrow('narrow', value);

test("a queue's narrow is taken by today's names", () => {
  const sent = [
    ['stream', 'social'],
    ['topic', ''],
    ['sender', 'a@x'],
    ['is', 'private'],
    ['is', 'mentioned'],
  ];
  expect(decodeForQueue(sent)).toEqual([
    { operator: 'channel', operand: 'social' },
    { operator: 'topic', operand: '' },
    { operator: 'sender', operand: 'a@x' },
    { operator: 'is', operand: 'dm' },
    { operator: 'is', operand: 'mentioned' },
  ]);
});

test.each([
  [{}, 'narrow is not a list'],
  [[{ operator: 'is' }], 'narrow[0] is not a list'],
  [[['is']], 'narrow[0] is not length 2'],
  [[['id', 3]], 'narrow[0][1] is not a string'],
])('%j is refused', (sent, message) => {
  expect(() => decodeForQueue(sent)).toThrow(new Error(message));
});
