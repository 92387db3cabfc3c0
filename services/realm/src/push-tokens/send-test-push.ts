import { InvalidPushDeviceTokenError, PushServiceNotConfiguredError } from '@parley/shared/errors';
import type { SendTestPushRequest, SendTestPushResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { loadActor } from '../actors/load-actor';
import type { Context } from '../context';
import { requirePerson } from '../guards';
import { hashPushToken } from './push-token-input';
import { isPushTokenOf } from './push-tokens.sql';

/** Would notify one of the caller's phones, or all; no service is there that could carry it. */
export async function sendTestPush(
  ctx: Context,
  caller: Caller,
  { token }: SendTestPushRequest,
): Promise<SendTestPushResponse> {
  const { realmId, userId } = caller;
  requirePerson((await loadActor(ctx.db, caller, ctx.clock.now())).user);
  if (token !== undefined && !(await isPushTokenOf(ctx.db, realmId, userId, hashPushToken(token)))) {
    throw new InvalidPushDeviceTokenError();
  }
  throw new PushServiceNotConfiguredError();
}
