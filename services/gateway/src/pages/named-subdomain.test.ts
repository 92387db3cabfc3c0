import { subdomainNamed } from './named-subdomain';

test.each<[string, string | null]>([
  ['acme', 'acme'],
  [' Acme ', 'acme'],
  ['acme.chat.example', 'acme'],
  ['acme.chat.example/', 'acme'],
  ['https://ACME.chat.example/#narrow/channel/5', 'acme'],
  ['http://acme.chat.example:8443/accounts/login?next=%2F', 'acme'],
  ['chat.example', ''],
  ['https://chat.example', ''],
  ['', null],
  ['-acme', null],
  ['a'.repeat(64), null],
  ['two words', null],
  ['evil.example', null],
  ['https://evil.example/', null],
  ['https://acme.chat.example.evil.example', null],
  ['https://acme.chat.example@evil.example', null],
  ['evil.example\\@acme.chat.example', null],
  ['evil.example/acme.chat.example', null],
  ['notchat.example', null],
  ['a.b.chat.example', null],
  ['javascript:alert(1)', null],
  ['//evil.example', null],
  ['https://', null],
])('%j names %j', (typed, subdomain) => {
  expect(subdomainNamed(typed, 'chat.example')).toBe(subdomain);
});

test('a machine that serves itself has organizations below localhost', () => {
  expect(subdomainNamed('http://acme.localhost:9991/', '127.0.0.1:9991')).toBe('acme');
  expect(subdomainNamed('http://127.0.0.1:9991/', '127.0.0.1:9991')).toBe('');
});
