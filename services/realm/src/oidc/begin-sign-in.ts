import { BadRequestError } from '@parley/shared/errors';
import type { BeginOidcSignInRequest, BegunOidcSignIn } from '@parley/shared/proto';
import { isWebUrl } from '@parley/shared/values';
import { z } from 'zod';
import { openSecret, sealSecret } from '../base/sealed-secret';
import type { Context } from '../context';
import { getOpenRealm } from '../organization/change-organization';
import { openIdClient } from './libraries';
import { openProvider } from './provider-client';
import { findProvider } from './provider-rows';

const VALID_MS = 10 * 60_000;
const MAX_FLOW_BYTES = 1_024;
const MAX_URL_LENGTH = 500;
/** The credential that a sign-in makes. */
export const WANTED = ['session', 'api_key', 'login_token'] as const;

/** A sign-in that has begun, as the browser keeps it, sealed. */
const BEGUN = z.strictObject({
  providerId: z.number(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  redirectUri: z.string(),
  wanted: z.enum(WANTED),
  flow: z.base64(),
  endsAtMs: z.number(),
});

export type Begun = z.infer<typeof BEGUN>;

/** Begins a sign-in. Nothing is stored: the browser keeps what is needed to finish it, sealed, so that strangers cannot fill a table. */
export async function beginOidcSignIn(ctx: Context, request: BeginOidcSignInRequest): Promise<BegunOidcSignIn> {
  const { wanted, flow, redirectUri } = checked(request);
  const { id: realmId } = await getOpenRealm(ctx, request.subdomain);
  const provider = await findProvider(ctx.prisma, realmId, request.providerId);
  const client = await openProvider(ctx, provider);
  const oidc = openIdClient();
  const [state, nonce, verifier] = [oidc.randomState(), oidc.randomNonce(), oidc.randomPKCECodeVerifier()];
  const address = oidc.buildAuthorizationUrl(client, {
    ...{ redirect_uri: redirectUri, scope: provider.scopes.join(' '), state, nonce },
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  const endsAtMs = ctx.clock.now() + VALID_MS;
  const begun: Begun = { providerId: provider.id, state, nonce, verifier, redirectUri, wanted, flow, endsAtMs };
  const sealed = sealSecret(ctx.config.BOT_KEY_SECRET, `sign-in at ${realmId}`, JSON.stringify(begun));
  return { authorizationUrl: address.href, browserSecret: sealed.toString('base64url') };
}

function checked({
  wanted,
  flow,
  redirectUri,
}: BeginOidcSignInRequest): Pick<Begun, 'wanted' | 'flow' | 'redirectUri'> {
  const known = WANTED.find((each) => each === wanted);
  if (known === undefined) throw new BadRequestError(`wanted must be one of ${WANTED.join(', ')}`);
  if (flow.length > MAX_FLOW_BYTES) throw new BadRequestError(`flow is too long (limit: ${MAX_FLOW_BYTES} bytes)`);
  if (redirectUri.length > MAX_URL_LENGTH || !isWebUrl(redirectUri) || /[?#]/.test(redirectUri)) {
    throw new BadRequestError('redirect_uri is not an address without "?" and "#"');
  }
  return { wanted: known, flow: Buffer.from(flow).toString('base64'), redirectUri };
}

const MAX_SECRET_LENGTH = 4_096;

/** The sign-in that this browser has begun and has still time for; null: none. */
export function openBegun(
  { config, clock }: Pick<Context, 'config' | 'clock'>,
  realmId: number,
  browserSecret: string,
): Begun | null {
  if (browserSecret.length > MAX_SECRET_LENGTH) return null;
  const text = openSecret(config.BOT_KEY_SECRET, `sign-in at ${realmId}`, Buffer.from(browserSecret, 'base64url'));
  const begun = text === null ? null : BEGUN.parse(JSON.parse(text));
  return begun && begun.endsAtMs > clock.now() ? begun : null;
}
