import { sortAddresses, splitAddresses } from './addresses';

test.each([
  ['one', 'eve@acme.example', ['eve@acme.example']],
  ['commas and newlines', 'a@x.example, b@x.example\nc@x.example\r\n', ['a@x.example', 'b@x.example', 'c@x.example']],
  ['names in front', 'Eve Example <eve@x.example>,"F" < f@x.example >', ['eve@x.example', 'f@x.example']],
  ['brackets inside brackets', 'Eve <<eve@x.example>>', ['<eve@x.example>']],
  ['brackets that enclose nothing', '>eve<', ['>eve<']],
  ['the same twice', 'a@x.example,a@x.example,A@x.example', ['a@x.example', 'A@x.example']],
  ['nothing', ' ,\n,<> ', []],
])('%s', (_what, text, addresses) => {
  expect(splitAddresses(text)).toEqual(addresses);
});

test('a list of more entries than are read is refused, however often they repeat', () => {
  expect(splitAddresses(',\n'.repeat(100_000))).toEqual([]);
  expect(splitAddresses('a@example.com,'.repeat(10_000))).toEqual(['a@example.com']);
  expect(() => splitAddresses('a@example.com,'.repeat(10_001))).toThrow(
    'The list of email addresses is too long (limit: 10000 entries)',
  );
});

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
