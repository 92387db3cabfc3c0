import { moved } from './moved';

test.each([
  [1, 1, [2, 1, 3]],
  [3, -1, [1, 3, 2]],
  [1, -1, [1, 2, 3]],
  [2, 9, [1, 3, 2]],
])('%i moves by %i', (id, by, ids) => {
  expect(moved([1, 2, 3], id, by)).toEqual(ids);
});
