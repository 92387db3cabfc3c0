import { realmUrl } from './organizations';

test.each([
  ['', 'chat.example.com', 'https://chat.example.com'],
  ['acme', 'chat.example.com', 'https://acme.chat.example.com'],
  ['', '127.0.0.1:9991', 'http://127.0.0.1:9991'],
  ['acme', '127.0.0.1:9991', 'http://acme.localhost:9991'],
  ['acme', 'localhost:9991', 'http://acme.localhost:9991'],
])('"%s" below %s is %s', (subdomain, host, expected) => {
  expect(realmUrl(subdomain, host)).toBe(expected);
});
