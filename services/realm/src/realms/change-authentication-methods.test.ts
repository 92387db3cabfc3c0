import { availableMethods } from '@parley/shared/values';
import { changeAuthenticationMethods } from './realm-changes';

const ALL = { Email: true, Dev: true };

test.each([
  [true, ALL, { Email: false }, { Email: false, Dev: true }],
  [true, { Email: false, Dev: true }, { Email: true, Dev: false }, { Email: true, Dev: false }],
  [false, ALL, { Email: true }, ALL],
  [false, ALL, {}, ALL],
])('with development %s, %j changed by %j is %j', (isDevelopment, present, wanted, after) => {
  const available = availableMethods({ DEV_LOGIN: isDevelopment });
  expect(changeAuthenticationMethods(present, wanted, available)).toEqual(after);
});

test.each([
  [true, { Email: false, Dev: false }, 'At least one authentication method must be enabled.'],
  // The other method is enabled, but nobody can use it.
  [false, { Email: false }, 'At least one authentication method must be enabled.'],
  [false, { Dev: false }, 'Invalid authentication method: Dev'],
  [true, { LDAP: true }, 'Invalid authentication method: LDAP'],
])('with development %s, a change by %j is refused', (isDevelopment, wanted, message) => {
  const available = availableMethods({ DEV_LOGIN: isDevelopment });
  expect(() => changeAuthenticationMethods(ALL, wanted, available)).toThrow(message);
});
