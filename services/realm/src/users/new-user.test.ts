import { ROLES } from '@parley/shared/values';
import { userFromInput } from './create-user';

const REQUEST = { subdomain: 'org', email: ' Iago@Example.com ', fullName: '  Iago ', role: ROLES.member };
const BOT = { ...REQUEST, botType: 1, botOwnerEmail: 'olivia@example.com' };

test('a person is taken as described, trimmed', () => {
  expect(userFromInput({ ...REQUEST, password: 'correct horse' })).toEqual({
    email: 'Iago@Example.com',
    fullName: 'Iago',
    role: 400,
    password: 'correct horse',
    bot: null,
  });
});

test('an outgoing webhook bot has an owner and a place its calls go to', () => {
  const request = { ...BOT, botType: 3, payloadUrl: 'http://127.0.0.1:8080/hook' };
  expect(userFromInput(request).bot).toEqual({
    type: 3,
    ownerEmail: 'olivia@example.com',
    service: { payloadUrl: 'http://127.0.0.1:8080/hook', interface: 1 },
  });
  expect(userFromInput({ ...BOT, payloadUrl: 'http://ignored' }).bot?.service).toBeNull();
});

describe('a full name', () => {
  test.each(['Jo', 'Zoë 🧀', 'x'.repeat(100), 'a|b', '|5 x'])('may be %p', (fullName) => {
    expect(userFromInput({ ...REQUEST, fullName }).fullName).toBe(fullName);
  });

  test.each([
    [' a ', 'Name too short!'],
    ['x'.repeat(101), 'Name too long!'],
    ['a*b', 'Invalid characters in name!'],
    ['a`b', 'Invalid characters in name!'],
    ['a\\b', 'Invalid characters in name!'],
    ['a>b', 'Invalid characters in name!'],
    ['a"b', 'Invalid characters in name!'],
    ['a@b', 'Invalid characters in name!'],
    ['a\nb', 'Invalid characters in name!'],
    ['Iago|12', 'Invalid format!'],
  ])('may not be %p', (fullName, message) => {
    expect(() => userFromInput({ ...REQUEST, fullName })).toThrow(message);
  });
});

describe('an address', () => {
  test.each(['a@b', 'first.last+tag@sub.example.com', "o'neil@example.com"])('may be %p', (email) => {
    expect(userFromInput({ ...REQUEST, email }).email).toBe(email);
  });

  test.each(['', '@', 'a', 'a@', '@b', 'a@b@c', 'a b@c', 'a:b@c', 'a@-b', 'a@b..c', 'ä@b.c', `${'x'.repeat(65)}@b.c`])(
    'may not be %p',
    (email) => {
      expect(() => userFromInput({ ...REQUEST, email })).toThrow('Enter a valid email address.');
    },
  );
});

test.each([
  [{ role: 500 }, 'Invalid role'],
  [{ role: 0 }, 'Invalid role'],
  [{ botOwnerEmail: 'olivia@example.com' }, 'Only bots have an owner'],
])('a person described as %p is refused', (wanted, message) => {
  expect(() => userFromInput({ ...REQUEST, ...wanted })).toThrow(message);
});

test.each([
  [{ botType: 5 }, 'Invalid bot type'],
  [{ botType: 4 }, 'Embedded bots are not enabled.'],
  [{ password: 'correct horse' }, 'Bots have no password'],
  [{ botType: 3 }, 'payload_url is not a URL'],
  [{ botType: 3, payloadUrl: 'ftp://example.com' }, 'payload_url is not a URL'],
  [{ botType: 3, payloadUrl: 'https://' }, 'payload_url is not a URL'],
  [{ botType: 3, payloadUrl: 'https://example.com', interface: 3 }, 'Invalid interface type'],
])('a bot described as %p is refused', (wanted, message) => {
  expect(() => userFromInput({ ...BOT, ...wanted })).toThrow(message);
});

test('a bot without an owner is refused', () => {
  expect(() => userFromInput({ ...REQUEST, botType: 1 })).toThrow('A bot needs an owner');
});
