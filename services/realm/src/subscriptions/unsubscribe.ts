import type { UnsubscribeRequest, UnsubscribeResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { loadActor } from '../actors/load-actor';
import type { Context } from '../context';
import { leaveChannels } from './leave-channels';

/** Unsubscribes the caller or others from channels. All of it happens, or nothing. */
export function unsubscribe(ctx: Context, caller: Caller, request: UnsubscribeRequest): Promise<UnsubscribeResponse> {
  return ctx.db.transaction(async (tx) => {
    const actor = await loadActor(tx, caller, ctx.clock.now());
    return leaveChannels(ctx, tx, actor, request);
  });
}
