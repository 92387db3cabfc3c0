import { TransactionSnapshot } from './transaction-snapshot';

test.each([
  ['10:20:12,15', [9, 10, 11, 13, 19], [12, 15, 20, 21]],
  ['20:20:', [19], [20]],
])('%s has seen %j and not %j', (text, seen, unseen) => {
  const snapshot = TransactionSnapshot.parse(text);
  expect(seen.map((id) => snapshot?.contains(id))).toEqual(seen.map(() => true));
  expect(unseen.map((id) => snapshot?.contains(id))).toEqual(unseen.map(() => false));
});

test.each(['', 'new', '1:2', `1:2:${Array.from({ length: 201 }, (_, id) => id).join()}`])('%.10s is none', (text) => {
  expect(TransactionSnapshot.parse(text)).toBeUndefined();
});
