import { BadRequestError } from '@parley/shared/errors';
import type { RemovePushTokenRequest, RemovePushTokenResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { loadActor } from '../actors/load-actor';
import type { Context } from '../context';
import { requirePerson } from '../guards';
import { checkPushToken, hashPushToken, type PushTokenKind } from './push-token-input';
import { removePushTokenRow } from './push-tokens.sql';

/** The phone wants no more notifications. */
export async function removePushToken(
  ctx: Context,
  caller: Caller,
  { kind, token }: RemovePushTokenRequest,
): Promise<RemovePushTokenResponse> {
  const { realmId, userId } = caller;
  requirePerson((await loadActor(ctx.db, caller, ctx.clock.now())).user);
  checkPushToken(kind as PushTokenKind, token);
  const isRemoved = await removePushTokenRow(ctx.db, { realmId, userId, kind, tokenHash: hashPushToken(token) });
  if (!isRemoved) throw new BadRequestError('Token does not exist');
  return {};
}
