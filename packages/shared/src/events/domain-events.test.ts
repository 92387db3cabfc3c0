import * as declared from './declarations';
import { domainEvents } from './domain-events';

test('no two events have the same kind', () => {
  const kinds = Object.values<unknown>(declared).flatMap((value) =>
    typeof value === 'function' && 'kind' in value ? [value.kind as string] : [],
  );
  expect(kinds.length).toBeGreaterThan(0);
  expect([...kinds].sort()).toEqual(Object.keys(domainEvents).sort());
});
