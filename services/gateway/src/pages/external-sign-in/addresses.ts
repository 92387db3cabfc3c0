import { realmUrl } from '@parley/shared/values';
import type { Config } from '../../config';

/** The parameter of a provider's paths. */
export const PROVIDER_PATTERNS = { id: /^[1-9]\d{0,14}$/ };

/** Templates of the paths. A client drops the query of `login`, so the provider is in it. */
export const PATHS = {
  login: '/accounts/login/social/oidc/{id}',
  signup: '/accounts/register/social/oidc/{id}',
  callback: '/accounts/oidc/{id}/callback',
  logout: '/accounts/oidc/{id}/logout',
  token: '/accounts/login/subdomain/{token}',
};

/** A path of one provider. */
export function pathOf(name: 'login' | 'signup' | 'callback' | 'logout', providerId: number): string {
  return PATHS[name].replace('{id}', String(providerId));
}

/** The addresses that an administrator registers at the provider. They come from the configuration, not from the request's Host. */
export function registeredAddresses(
  { EXTERNAL_HOST }: Pick<Config, 'EXTERNAL_HOST'>,
  subdomain: string,
  providerId: number,
): { callback: string; logout: string } {
  const origin = realmUrl(subdomain, EXTERNAL_HOST);
  return { callback: origin + pathOf('callback', providerId), logout: origin + pathOf('logout', providerId) };
}

/** Whether people reach this server over TLS. */
export function hasTls({ EXTERNAL_HOST }: Pick<Config, 'EXTERNAL_HOST'>): boolean {
  return realmUrl('', EXTERNAL_HOST).startsWith('https:');
}
