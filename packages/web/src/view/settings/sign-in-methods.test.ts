import { changedMethods, isOwnersMethod } from './sign-in-methods';

const methods = { Email: { enabled: true }, Dev: { enabled: true }, LDAP: { enabled: true } };

test('a change of a way to sign in sends the others as they are, without the directory, which the server refuses', () => {
  expect(changedMethods(methods, 'Email', false)).toEqual({ Email: false, Dev: true });
  expect(Object.keys(methods).filter(isOwnersMethod)).toEqual(['Email', 'Dev']);
});
