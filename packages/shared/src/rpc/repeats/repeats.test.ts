import { BadEventQueueIdError, BadRequestError, NotFoundError, NothingToDoError } from '../../errors';
import type { ServiceName } from '../../proto';
import { isSettledBy, mayRepeat } from '.';

test.each<[string, ServiceName, string, unknown, boolean]>([
  ['the error of its method', 'events', 'deleteQueue', new BadEventQueueIdError('q'), true],
  ['another error', 'events', 'deleteQueue', new NothingToDoError('No such queue'), false],
  ['an error, whatever its text', 'realm', 'unmuteUser', new NothingToDoError('Not muted at all'), true],
  ['the same text of another error', 'realm', 'unmuteUser', new BadRequestError('User is not muted'), false],
  ['an error of a method that is never settled', 'realm', 'updateUser', new NothingToDoError('No such user'), false],
  ['an error of a read', 'realm', 'getUser', new NotFoundError('No such user'), false],
  ['a fault', 'realm', 'unmuteUser', 'out of memory', false],
])('a repetition and %s', (_what, service, method, error, isSettled) => {
  expect(isSettledBy(service, method, error)).toBe(isSettled);
});

test('a holder of leases asks again by itself when the answer was lost', () => {
  const mayAskAgain = (request: object) => mayRepeat('realm', 'holdLeases', { holderId: 'a', ...request });
  expect([mayAskAgain({}), mayAskAgain({ isOver: true })]).toEqual([false, true]);
});
