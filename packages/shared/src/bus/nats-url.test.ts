import { parseNatsUrl } from './nats-url';

test.each([
  ['nats://broker:4222', { servers: ['broker:4222'], wantsTls: false }],
  ['nats://one:4222,two:4222', { servers: ['one:4222', 'two:4222'], wantsTls: false }],
  ['nats://one:4222, nats://two', { servers: ['one:4222', 'two'], wantsTls: false }],
  ['nats://parley:hush@broker', { servers: ['broker'], user: 'parley', password: 'hush', wantsTls: false }],
  ['nats://a:p%40%2C%25:x@b:1,c:2', { servers: ['b:1', 'c:2'], user: 'a', password: 'p@,%:x', wantsTls: false }],
  ['nats://a:p@b:1,nats://a:p@c:2', { servers: ['b:1', 'c:2'], user: 'a', password: 'p', wantsTls: false }],
  ['nats://to%2Fken@broker:4222/', { servers: ['broker:4222'], token: 'to/ken', wantsTls: false }],
  ['tls://broker:4222', { servers: ['broker:4222'], wantsTls: true }],
  ['nats://u:p@[::1]:4222', { servers: ['[::1]:4222'], user: 'u', password: 'p', wantsTls: false }],
])('%s', (url, parsed) => {
  expect(parseNatsUrl(url)).toEqual(parsed);
});

test.each([
  ['http://broker', 'must be a nats:// address'],
  ['broker:4222', 'must be a nats:// address'],
  ['nats://', 'must be a nats:// address'],
  ['nats://user:hu,sh@broker', 'must be a nats:// address'],
  ['nats://user:hu%sh@broker', 'must be a nats:// address'],
  ['nats://a:hush@one,nats://b:hush@two', 'must name the same user for all servers'],
])('%s is refused, and nothing of it repeated', (url, message) => {
  expect(() => parseNatsUrl(url)).toThrow(message);
  expect(() => parseNatsUrl(url)).not.toThrow('hush');
});
