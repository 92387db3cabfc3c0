import type { AddPushTokenRequest, AddPushTokenResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { loadActor } from '../actors/load-actor';
import type { Context } from '../context';
import { requirePerson } from '../guards';
import { lockUser } from '../users/users.sql';
import { checkAppId, checkPushToken, hashPushToken, type PushTokenKind } from './push-token-input';
import { removeOldestPushTokens, storePushToken } from './push-tokens.sql';

/** Nobody tells which phones are gone: those registered longest ago make room. */
const MAX_TOKENS = 100;

/** Registers a phone of the caller's; once is enough. */
export async function addPushToken(
  ctx: Context,
  caller: Caller,
  { kind, token, appId }: AddPushTokenRequest,
): Promise<AddPushTokenResponse> {
  const { realmId, userId } = caller;
  const nowMs = ctx.clock.now();
  requirePerson((await loadActor(ctx.db, caller, nowMs)).user);
  if (appId !== undefined) checkAppId(appId);
  checkPushToken(kind as PushTokenKind, token);
  await ctx.db.transaction(async (tx) => {
    await lockUser(tx, realmId, userId);
    const key = { realmId, userId, kind, tokenHash: hashPushToken(token) };
    await storePushToken(tx, { ...key, token, appId: appId ?? null, registeredAtMs: nowMs });
    await removeOldestPushTokens(tx, realmId, userId, MAX_TOKENS);
  });
  return {};
}
