import { BadRequestError } from '@parley/shared/errors';
import type { EndOidcSessionsRequest, EndOidcSessionsResponse } from '@parley/shared/proto';
import type { Call } from '@parley/shared/rpc';
import type { JWTPayload } from 'jose';
import { type Act, recordedDatabase } from '../audit/with-audit';
import type { Context } from '../context';
import { getOpenRealm } from '../organization/change-organization';
import { listLoggedOut, spend } from './oidc.sql';
import { faultOf, verifySigned } from './provider-client';
import { findProvider, type Provider } from './provider-rows';
import { endProviderKeys } from './providers';

const MAX_TOKEN_LENGTH = 16_384;
const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** Longer than a token can be valid, with both clocks' tolerance: until then its id is remembered. */
const REMEMBERED_MS = 15 * 60_000;

/** Back-channel logout: ends the sessions of the provider's session, or all of the person's, with their queues. */
export async function endOidcSessions(
  ctx: Context,
  call: Call,
  { subdomain, providerId, logoutToken }: EndOidcSessionsRequest,
): Promise<EndOidcSessionsResponse> {
  const { id: realmId } = await getOpenRealm(ctx, subdomain);
  const provider = await findProvider(ctx.prisma, realmId, providerId);
  const { jti, sid, subject } = await readLogoutToken(ctx, provider, logoutToken);
  const logout = { realmId, providerId: provider.id, sid, subject, includesKeys: provider.keysEndAt === 'logout' };
  const holders = (await listLoggedOut(ctx.db, logout)).map(({ userId }) => userId);
  const act: Act<unknown> = { changes: { user: () => holders } };
  const db = recordedDatabase(ctx, act, { method: 'endOidcSessions', call, request: { realmId } });
  await db.transaction(async (tx) => {
    const nowMs = ctx.clock.now();
    const once = { what: ['logout', provider.issuer, jti], endsAtMs: nowMs + REMEMBERED_MS };
    if (!(await spend(tx, realmId, once, nowMs))) throw new BadRequestError('The logout token was used before.');
    await endProviderKeys(tx, realmId, await listLoggedOut(tx, logout), nowMs);
  });
  return {};
}

interface LogoutToken {
  jti: string;
  sid: string | null;
  subject: string | null;
}

async function readLogoutToken(ctx: Context, provider: Provider, token: string): Promise<LogoutToken> {
  if (token.length > MAX_TOKEN_LENGTH) throw new BadRequestError('The logout token is not valid: it is too long.');
  const claims = await verifySigned(ctx, provider, token).catch((error: unknown) => {
    ctx.log.warn({ realmId: provider.realmId, provider: provider.id, reason: faultOf(error) }, 'a logout was refused');
    throw new BadRequestError('The logout token is not valid.');
  });
  const found = logoutOf(claims);
  if (typeof found === 'string') throw new BadRequestError(`The logout token is not valid: ${found}.`);
  return found;
}

/** The sessions that a logout token ends; a text: why it is no logout token. An ID token has a nonce and no such event. */
export function logoutOf({ jti, sid, sub, nonce, events }: JWTPayload): LogoutToken | string {
  const isEvent = typeof events === 'object' && events !== null && typeof Object(events)[EVENT] === 'object';
  if (!isEvent) return 'it is no logout';
  if (nonce !== undefined) return 'it has a nonce';
  const isText = (value: unknown): value is string =>
    typeof value === 'string' && value !== '' && !value.includes('\0');
  if (!isText(jti)) return 'it has no id';
  if (!isText(sid) && !isText(sub)) return 'it names no session and nobody';
  return { jti, sid: isText(sid) ? sid : null, subject: isText(sub) ? sub : null };
}
