import { splitAddresses } from './split-addresses';

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
