import { botDomain } from './bots';

test.each([
  ['', 'chat.example.com', 'chat.example.com'],
  ['acme', 'chat.example.com', 'acme.chat.example.com'],
  ['', 'chat.example.com:8443', 'bots.invalid'],
  ['acme', '127.0.0.1:9991', 'bots.invalid'],
  ['acme', '10.0.0.1', 'bots.invalid'],
  ['', 'localhost', 'bots.invalid'],
])('bots of %j at %s have addresses at %s', (subdomain, host, domain) => {
  expect(botDomain(subdomain, host)).toBe(domain);
});
