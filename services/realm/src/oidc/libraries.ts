import type * as Jose from 'jose';
import type * as OpenIdClient from 'openid-client';

let loadedClient: typeof OpenIdClient | undefined;
let loadedJose: typeof Jose | undefined;

/** Loaded with the first sign-in through a provider: most deployments have none. */
export function openIdClient(): typeof OpenIdClient {
  loadedClient ??= require('openid-client') as typeof OpenIdClient;
  return loadedClient;
}

export function jose(): typeof Jose {
  loadedJose ??= require('jose') as typeof Jose;
  return loadedJose;
}
