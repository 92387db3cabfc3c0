import { BadRequestError } from '@parley/shared/errors';
import type { FinishedOidcSignIn, FinishOidcSignInRequest } from '@parley/shared/proto';
import type { Call } from '@parley/shared/rpc';
import { REFUSAL } from '@parley/shared/texts/refusals';
import type { Context } from '../context';
import { getOpenRealm } from '../organization/change-organization';
import { askProvider } from './ask-provider';
import { type Begun, openBegun } from './begin-sign-in';
import { letIn } from './let-in';
import { makeLoginToken } from './login-tokens';
import { spend } from './oidc.sql';
import { setPicture } from './picture';
import { findProvider } from './provider-rows';

const MAX_QUERY_LENGTH = 8_192;

/** Finishes a sign-in by the provider's answer, in the browser that has begun it, once. */
export async function finishOidcSignIn(
  ctx: Context,
  call: Call,
  request: FinishOidcSignInRequest,
): Promise<FinishedOidcSignIn> {
  const { id: realmId } = await getOpenRealm(ctx, request.subdomain);
  const begun = await useUp(ctx, realmId, request);
  const { wanted, flow } = begun;
  const provider = await findProvider(ctx.prisma, realmId, begun.providerId);
  const signedIn = await askProvider(ctx, provider, begun, request.query);
  const { label, device } = request;
  const origin = { label, device, clientAddress: call.clientAddress ?? '' };
  const { user, isNew, key } = await letIn(ctx, { call, provider, signedIn, wanted, origin });
  if (isNew) await setPicture(ctx, user, signedIn.claims);
  const { subject, sid } = signedIn;
  const token = key === null ? makeLoginToken(ctx, user, { providerId: provider.id, subject, sid }) : null;
  const answer = { wanted, key, flow: Buffer.from(flow, 'base64'), isNewAccount: isNew };
  return token === null ? answer : { ...answer, loginToken: token };
}

/** The sign-in that this very browser has begun with this provider, which is over now. An answer with another state leaves it as it is. */
async function useUp(ctx: Context, realmId: number, request: FinishOidcSignInRequest): Promise<Begun> {
  const begun = openBegun(ctx, realmId, request.browserSecret);
  const isLong = request.query.length > MAX_QUERY_LENGTH;
  const state = isLong ? null : new URLSearchParams(request.query).get('state');
  if (begun === null || begun.providerId !== request.providerId || begun.state !== state) throw notBegun();
  const once = { what: ['sign-in', begun.state], endsAtMs: begun.endsAtMs };
  const isFirst = await ctx.db.transaction((tx) => spend(tx, realmId, once, ctx.clock.now()));
  if (!isFirst) throw notBegun();
  return begun;
}

function notBegun(): BadRequestError {
  return new BadRequestError(REFUSAL.providers.notBegun);
}
