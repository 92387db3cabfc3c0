import { hashKey, invitationKey, KEY_PATTERN, keyUrl } from './invitation-keys';

const salt = Buffer.alloc(16, 7);
const subject = { realmId: 1, kind: 'invitation', id: 2 } as const;

test('a key is 24 letters of lower-case base32, the same whenever it is shown', () => {
  const key = invitationKey('secret', subject, salt);
  expect(key).toMatch(KEY_PATTERN);
  expect(invitationKey('secret', subject, salt)).toBe(key);
  expect(hashKey(key)).toHaveLength(32);
});

test('another secret, salt, organization, kind or id makes another key', () => {
  const keys = [
    invitationKey('secret', subject, salt),
    invitationKey('secrets', subject, salt),
    invitationKey('secret', subject, Buffer.alloc(16, 8)),
    invitationKey('secret', { ...subject, realmId: 2 }, salt),
    invitationKey('secret', { ...subject, kind: 'link' }, salt),
    invitationKey('secret', { ...subject, id: 3 }, salt),
  ];
  expect(new Set(keys).size).toBe(keys.length);
});

test.each([
  ['invitation', 'acme', 'https://acme.chat.example/accounts/do_confirm/k'],
  ['link', 'acme', 'https://acme.chat.example/join/k/'],
  ['link', '', 'https://chat.example/join/k/'],
] as const)('the address of the key of an %s in "%s"', (kind, subdomain, url) => {
  expect(keyUrl(kind, 'k', { subdomain, externalHost: 'chat.example' })).toBe(url);
});
