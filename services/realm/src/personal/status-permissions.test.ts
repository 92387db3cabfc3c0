import { maySetStatuses } from './status-permissions';

test.each([
  [100, true],
  [200, true],
  [300, false],
  [400, false],
  [600, false],
])('role %i sets the statuses of others: %p', (role, expected) => expect(maySetStatuses({ role })).toBe(expected));
