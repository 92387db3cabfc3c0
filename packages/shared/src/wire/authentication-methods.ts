import type { AuthenticationMethod, AuthenticationMethods } from '../values';

export type PublicAuthenticationMethods = Partial<Record<AuthenticationMethod, { enabled: boolean; available: true }>>;

/** The ways to sign in that the server offers, and which of them the organization lets people use; called for POST /register and events. */
export function publicAuthenticationMethods(
  methods: AuthenticationMethods,
  available: readonly AuthenticationMethod[],
): PublicAuthenticationMethods {
  return Object.fromEntries(available.map((name) => [name, { enabled: methods[name], available: true }]));
}
