import { sortAddresses } from './sort-addresses';

test.each([
  ['', '', null],
  ['invalid', '', ['invalid', 'Invalid address.', false]],
  ['domain', '', ['invalid', 'Outside your domain.', false]],
  ['disposable', '', ['invalid', 'Please use your real email address.', false]],
  ['plus', '', ['invalid', 'Email addresses containing + are not allowed.', false]],
  ['domain', 'active', ['invalid', 'Outside your domain.', false]],
  ['', 'system-bot', ['taken', 'Reserved for system bots.', false]],
  ['', 'active', ['taken', 'Already has an account.', false]],
  ['', 'deactivated', ['taken', 'Account has been deactivated.', true]],
])('an address with the objection "%s", held by "%s"', (objection, holder, expected) => {
  const sorted = sortAddresses(['eve@acme.example'], [{ objection, holder }]);
  const [kind, reason, isDeactivated] = expected ?? [];
  expect(sorted.free).toEqual(expected === null ? ['eve@acme.example'] : []);
  expect(sorted.invalid).toEqual(kind === 'invalid' ? [['eve@acme.example', reason, isDeactivated]] : []);
  expect(sorted.taken).toEqual(kind === 'taken' ? [['eve@acme.example', reason, isDeactivated]] : []);
});
