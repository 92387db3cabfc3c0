import { BadRequestError } from '@parley/shared/errors';
import type { AuthenticationMethod, AuthenticationMethods } from '@parley/shared/values';

/** The methods after a change of some; refuses those that the server does not offer, and to leave none. */
export function changeAuthenticationMethods(
  present: AuthenticationMethods,
  wanted: Readonly<Record<string, boolean>>,
  available: readonly AuthenticationMethod[],
): AuthenticationMethods {
  const unknown = Object.keys(wanted).find((name) => !(available as readonly string[]).includes(name));
  if (unknown !== undefined) throw new BadRequestError(`Invalid authentication method: ${unknown}`);
  const methods: AuthenticationMethods = { ...present, ...wanted };
  if (!available.some((name) => methods[name])) {
    throw new BadRequestError('At least one authentication method must be enabled.');
  }
  return methods;
}
