import { subdomainFinder } from './find-subdomain';

describe('the organization is found by the Host', () => {
  test.each([
    ['chat.example', 'chat.example', ''],
    ['chat.example', 'CHAT.example:443', ''],
    ['chat.example', 'acme.chat.example', 'acme'],
    ['chat.example', 'Acme.Chat.Example:8443', 'acme'],
    ['chat.example', 'a.b.chat.example', 'a.b'],
    ['chat.example', 'acme.localhost:9991', 'acme'],
    ['chat.example', 'localhost:9991', ''],
    ['chat.example', '10.0.0.7:9991', ''],
    ['chat.example', '[::1]:9991', ''],
    ['chat.example', 'elsewhere.test', ''],
    ['chat.example', 'notchat.example', ''],
    ['chat.example', '.chat.example', ''],
    ['chat.example', undefined, ''],
    ['127.0.0.1:9991', '127.0.0.1:9991', ''],
    ['127.0.0.1:9991', 'acme.127.0.0.1:9991', 'acme'],
    ['127.0.0.1:9991', 'acme.localhost:9991', 'acme'],
  ])('below %s, %s is "%s"', (externalHost, host, subdomain) => {
    expect(subdomainFinder(externalHost)(host)).toBe(subdomain);
  });
});
