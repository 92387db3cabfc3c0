import { BadRequestError } from '@parley/shared/errors';
import type { OutsideHttp } from '@parley/shared/outside-http';
import { REFUSAL } from '@parley/shared/texts/refusals';
import type { FetchImplementation, JWTPayload, JWTVerifyGetKey } from 'jose';
import type * as Oidc from 'openid-client';
import type { Context } from '../context';
import { jose, openIdClient } from './libraries';
import { isLoopback } from './provider-input';
import { type Provider, secretOf } from './provider-rows';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 1024 * 1024;
/** In seconds: a provider's clock may be as much ahead or behind. */
export const CLOCK_TOLERANCE = 60;
const METADATA_KEPT_MS = 5 * 60_000;
const MAX_KEPT = 1_000;
/** After a signature by a key that is not known, keys are fetched again, but not more often than this. */
const KEYS_PAUSE_MS = 2_000;

/** Signatures that only the holder of a private key can make; `none`, and those by a shared secret, are not among them. */
const SIGNATURES = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

type Needed = Pick<Context, 'outside' | 'config' | 'clock'>;
type Fetch = (
  url: string,
  options: { method?: string; headers: Headers | Record<string, string>; body?: unknown; signal?: AbortSignal },
) => Promise<Response>;

/** The client for outside addresses, as the libraries want it. */
export function fetchOutside(outside: OutsideHttp): Fetch {
  return async (url, { method = 'GET', headers, body, signal }) => {
    const answer = await outside({
      ...{ url, method: method as 'GET' | 'POST', timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES },
      headers: Object.fromEntries(new Headers(headers)),
      ...(body !== undefined && body !== null && { body: String(body) }),
      ...(signal && { signal }),
    });
    const isEmpty = answer.status === 204 || answer.status === 304;
    const type = answer.headers['content-type'] ?? '';
    return new Response(isEmpty ? null : new Uint8Array(answer.body), {
      status: answer.status,
      headers: { 'content-type': type, ...challengeOf(answer.headers['www-authenticate']) },
    });
  };
}

const challengeOf = (challenge: string | undefined) => (challenge ? { 'www-authenticate': challenge } : undefined);

/** A provider's metadata, cached for some minutes, and its keys for logout tokens. */
interface Kept {
  metadata: Oidc.ServerMetadata;
  keys: JWTVerifyGetKey;
  untilMs: number;
}

const kept = new WeakMap<OutsideHttp, Map<string, Kept>>();

/** The provider's own description. It is fetched anew after some minutes, or if `isFresh`. Throws BAD_REQUEST with the reason. */
export async function describeProvider(ctx: Needed, issuer: string, isFresh = false): Promise<Kept> {
  const all = kept.get(ctx.outside) ?? new Map<string, Kept>();
  kept.set(ctx.outside, all);
  const known = all.get(issuer);
  if (known && !isFresh && known.untilMs > ctx.clock.now()) return known;
  const metadata = await discover(ctx, issuer);
  const { createRemoteJWKSet, customFetch } = jose();
  const keys = createRemoteJWKSet(new URL(metadata.jwks_uri as string), {
    [customFetch]: fetchOutside(ctx.outside) as FetchImplementation,
    ...{ timeoutDuration: TIMEOUT_MS, cooldownDuration: KEYS_PAUSE_MS, cacheMaxAge: METADATA_KEPT_MS },
  });
  const found = { metadata, keys, untilMs: ctx.clock.now() + METADATA_KEPT_MS };
  if (all.size >= MAX_KEPT) all.clear();
  all.set(issuer, found);
  return found;
}

async function discover({ outside }: Needed, issuer: string): Promise<Oidc.ServerMetadata> {
  const oidc = openIdClient();
  const found = await oidc
    .discovery(new URL(issuer), 'parley', undefined, undefined, {
      [oidc.customFetch]: fetchOutside(outside) as Oidc.CustomFetch,
      ...(isLoopback(issuer) && { execute: [oidc.allowInsecureRequests] }),
    })
    .catch((error: unknown) => {
      throw new BadRequestError(REFUSAL.providers.unreachable(faultOf(error)));
    });
  const { supportsPKCE: _helper, ...metadata } = found.serverMetadata();
  checkMetadata(metadata, issuer);
  const offered = metadata.id_token_signing_alg_values_supported?.filter((each) => SIGNATURES.includes(each));
  const { id_token_signing_alg_values_supported: _all, ...rest } = metadata;
  return { ...rest, ...(offered?.length && { id_token_signing_alg_values_supported: offered }) } as Oidc.ServerMetadata;
}

function checkMetadata(metadata: Oidc.ServerMetadata, issuer: string): void {
  const { issuer: own, authorization_endpoint: authorization, token_endpoint: token, jwks_uri: keys } = metadata;
  if (own !== issuer) throw new BadRequestError(REFUSAL.providers.otherIssuer(own));
  for (const address of [authorization, token, keys]) {
    const isSafe = address !== undefined && URL.canParse(address) && isSafeAddress(address, issuer);
    if (!isSafe) throw new BadRequestError(REFUSAL.providers.notSafe);
  }
}

function isSafeAddress(address: string, issuer: string): boolean {
  return new URL(address).protocol === 'https:' || (isLoopback(issuer) && isLoopback(address));
}

/** The library's client of a provider, which checks signatures, and fetches the provider's keys anew for each sign-in. */
export async function openProvider(ctx: Needed, provider: Provider): Promise<Oidc.Configuration> {
  const { metadata } = await describeProvider(ctx, provider.issuer);
  const secret = secretOf(ctx.config.BOT_KEY_SECRET, provider);
  const oidc = openIdClient();
  const client = new oidc.Configuration(
    metadata,
    provider.clientId,
    { [oidc.clockTolerance]: CLOCK_TOLERANCE },
    authenticationOf(metadata, secret),
  );
  client[oidc.customFetch] = fetchOutside(ctx.outside) as Oidc.CustomFetch;
  client.timeout = TIMEOUT_MS / 1_000;
  oidc.enableNonRepudiationChecks(client);
  if (isLoopback(provider.issuer)) oidc.allowInsecureRequests(client);
  return client;
}

function authenticationOf(
  { token_endpoint_auth_methods_supported: methods }: Oidc.ServerMetadata,
  secret: string | null,
) {
  const oidc = openIdClient();
  if (secret === null) return oidc.None();
  const isByPost = methods?.includes('client_secret_post') && !methods.includes('client_secret_basic');
  return isByPost ? oidc.ClientSecretPost(secret) : oidc.ClientSecretBasic(secret);
}

/** The claims of a token that the provider has signed for this client, now. Rejects for any other. */
export async function verifySigned(ctx: Needed, provider: Provider, token: string): Promise<JWTPayload> {
  const { keys } = await describeProvider(ctx, provider.issuer);
  const { payload } = await jose().jwtVerify(token, keys, {
    ...{ issuer: provider.issuer, audience: provider.clientId, algorithms: SIGNATURES },
    ...{ clockTolerance: CLOCK_TOLERANCE, maxTokenAge: '10 minutes', requiredClaims: ['jti'] },
  });
  return payload;
}

/** The failure, for administrators: without the provider's answer, which may contain tokens. */
export function faultOf(error: unknown): string {
  const { code, message, cause } = error as { code?: unknown; message?: string; cause?: { message?: unknown } };
  const reasons = [message, typeof code === 'string' && code, deeper(cause)].filter((each) => each);
  return [...new Set(reasons)].join('; ');
}

function deeper(cause: unknown): string | false {
  return cause instanceof Error && !('response' in cause) && cause.message;
}
