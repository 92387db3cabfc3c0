import { randomUUID } from 'node:crypto';
import type { BeginOidcSignInRequest, FinishedOidcSignIn, OidcProviderSettings } from '@parley/shared/proto';
import { newCall } from '@parley/shared/rpc';
import { CLIENT, type IdentityProvider, startIdentityProvider } from '@parley/shared/testing';
import type { Context } from '../src/context';
import { beginOidcSignIn } from '../src/oidc/begin-sign-in';
import { finishOidcSignIn } from '../src/oidc/finish-sign-in';
import { addOidcProvider } from '../src/oidc/providers';
import type { Person } from './examples';

/** Settings as an owner enters them. */
export function settingsOf(issuer: string, wanted: Partial<OidcProviderSettings> = {}): OidcProviderSettings {
  return {
    ...{ displayName: 'Example ID', iconUrl: '', issuer, clientId: CLIENT.id, scopes: ['email', 'profile', 'groups'] },
    ...{ newAccounts: 'everyone', keysEndAt: 'deactivation' },
    ...{ groupsClaim: '', groupRules: [], rolesClaim: '', roleRules: [] },
    ...wanted,
  };
}

export async function addProvider(
  ctx: Context,
  owner: Person,
  { issuer }: IdentityProvider,
  wanted: Partial<OidcProviderSettings> = {},
): Promise<number> {
  const request = { settings: settingsOf(issuer, wanted), clientSecret: CLIENT.secret };
  return (await addOidcProvider(ctx, owner, request)).providerId;
}

/** The provider of a file of tests; what a test makes it answer ends with the test. */
export function providerOfTests(): Pick<SignIn, 'idp'> {
  const place = {} as SignIn;
  beforeAll(async () => {
    place.idp = await startIdentityProvider();
  });
  beforeEach(() => {
    Object.assign(place.idp, { metadata: {}, tamper: null });
  });
  afterAll(() => place.idp?.stop());
  return place;
}

/** The same, added to the organization of each test with these settings. */
export function signInOfEachTest(
  ctx: Context,
  owner: Person,
  wanted: () => Partial<OidcProviderSettings> = () => ({}),
): SignIn {
  const place = providerOfTests() as SignIn;
  beforeEach(async () => {
    const providerId = await addProvider(ctx, owner, place.idp, wanted());
    Object.assign(place, { subdomain: owner.subdomain, providerId });
  });
  return place;
}

export interface SignIn {
  subdomain: string;
  providerId: number;
  idp: IdentityProvider;
}

export const begin = (ctx: Context, { subdomain, providerId }: SignIn, wanted: Partial<BeginOidcSignInRequest> = {}) =>
  beginOidcSignIn(ctx, {
    ...{ subdomain, providerId, redirectUri: CLIENT.redirectUri, wanted: 'session', flow: Buffer.from('next=/') },
    ...wanted,
  });

export const finish = (
  ctx: Context,
  { subdomain, providerId }: SignIn,
  { query, browserSecret }: { query: string; browserSecret: string },
) => finishOidcSignIn(ctx, newCall(), { subdomain, providerId, query, browserSecret, label: 'Firefox' });

/** A whole sign-in, as a browser goes through it. */
export async function signIn(
  ctx: Context,
  place: SignIn,
  name: string,
  wanted: Partial<BeginOidcSignInRequest> = {},
): Promise<FinishedOidcSignIn> {
  const { authorizationUrl, browserSecret } = await begin(ctx, place, wanted);
  const callback = await place.idp.browser().signIn(authorizationUrl, name);
  return finish(ctx, place, { query: callback.search.slice(1), browserSecret });
}

/** A person whom the provider knows, with an address of their own. */
export function newPerson(
  idp: IdentityProvider,
  claims: Record<string, unknown> = {},
): { name: string; email: string } {
  const name = randomUUID();
  const email = `${name}@example.com`;
  idp.people[name] = { email, email_verified: true, name: 'Ann Example', ...claims };
  return { name, email };
}
