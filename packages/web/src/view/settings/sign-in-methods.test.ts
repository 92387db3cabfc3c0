import { isOwnersMethod, ownersMethods } from './sign-in-methods';

test('ways to sign in are sent all, without the directory, which the server refuses', () => {
  const isOn = { Email: false, Dev: true, LDAP: true };
  expect(ownersMethods(isOn)).toEqual({ Email: false, Dev: true });
  expect(Object.keys(isOn).filter(isOwnersMethod)).toEqual(['Email', 'Dev']);
});
