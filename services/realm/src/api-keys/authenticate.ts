import { BadRequestError } from '@parley/shared/errors';
import type { AuthenticateRequest, AuthenticateResponse, Authentication, Credential } from '@parley/shared/proto';
import type { Context } from '../context';
import { findKeyHolders, type KeyHolderRow } from './api-keys.sql';
import { judgeCredential } from './permissions';

const MAX_CREDENTIALS = 1_000;
const NOBODY = { apiKeyId: 0, realmId: 0, userId: 0, role: 0, isBot: false };

/** Authenticates credentials: one result for each, in order; a failed one names no user. */
export async function authenticate(ctx: Context, { credentials }: AuthenticateRequest): Promise<AuthenticateResponse> {
  if (credentials.length > MAX_CREDENTIALS) throw new BadRequestError('Too many credentials in one call');
  // NOTE: keys are looked up by hash, so the look-up time reveals nothing about them.
  const holders = await findKeyHolders(
    ctx.db,
    credentials.map(({ apiKeyHash }) => apiKeyHash),
  );
  return { results: credentials.map((credential, index) => answer(credential, holders[index] ?? null)) };
}

/** A session is no API key, and the other way round. */
function judge({ subdomain, email, isSession = false }: Credential, holder: KeyHolderRow | null) {
  if (holder?.isSession !== isSession) return 'unknown';
  return judgeCredential({ subdomain, email: isSession ? holder.email : email }, holder);
}

function answer(credential: Credential, holder: KeyHolderRow | null): Authentication {
  const outcome = judge(credential, holder);
  if (holder === null || outcome !== 'ok') return { outcome, ...NOBODY };
  const { apiKeyId, realmId, userId, role, isBot, botType, email } = holder;
  const found = { outcome, apiKeyId, realmId, userId, role, isBot, ...(botType === null ? {} : { botType }) };
  return credential.isSession ? { ...found, email } : found;
}
