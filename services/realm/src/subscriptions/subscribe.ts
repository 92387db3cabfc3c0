import type { Transaction } from '@parley/shared/db';
import type { SubscribeRequest, SubscribeResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Actor } from '../actors/actor';
import { loadActor } from '../actors/load-actor';
import { CHANNEL_NAME_IS_UNIQUE } from '../channels/channels.sql';
import type { Context } from '../context';
import { isUniqueViolation } from '../unique-violation';
import { joinChannels } from './join-channels';

const MAX_ATTEMPTS = 3;

/** Subscribes the caller or others to channels, and makes the channels that do not exist. All of it happens, or nothing. */
export function subscribe(ctx: Context, caller: Caller, request: SubscribeRequest): Promise<SubscribeResponse> {
  return withFreshNames(ctx, caller, (tx, actor) => joinChannels(ctx, tx, actor, request));
}

/** Does what may make channels, in a transaction, and does it anew when somebody else made one of them in this moment. */
export async function withFreshNames<Result>(
  ctx: Context,
  caller: Caller,
  work: (tx: Transaction, actor: Actor) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ctx.db.transaction(async (tx) => work(tx, await loadActor(tx, caller, ctx.clock.now())));
    } catch (error) {
      // Now the channel exists, and is joined under its own rules.
      if (attempt === MAX_ATTEMPTS || !isUniqueViolation(error, CHANNEL_NAME_IS_UNIQUE)) throw error;
    }
  }
}
