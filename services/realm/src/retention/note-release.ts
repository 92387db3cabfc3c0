import type { NoteReleaseRequest, NoteReleaseResponse } from '@parley/shared/proto';
import { toSeconds } from '@parley/shared/values';
import type { Context } from '../context';
import { announceRelease, lockRelease, storeRelease } from './releases.sql';

/**
 * Notes of which release the server is. Clients whose queues outlive an upgrade are told that it is another one, once, however many
 * gateways say so. The first one that is noted is no change.
 */
export function noteRelease(ctx: Context, request: NoteReleaseRequest): Promise<NoteReleaseResponse> {
  const { version, mergeBase, featureLevel } = request;
  return ctx.db.transaction(async (tx) => {
    const former = await lockRelease(tx);
    if (former?.version === version && former.featureLevel === featureLevel) return {};
    const nowMs = ctx.clock.now();
    await storeRelease(tx, { version, featureLevel }, nowMs);
    if (former === null) return {};
    const brands = ctx.config.API_BRANDS;
    await announceRelease(tx, { version, mergeBase, featureLevel, generation: toSeconds(nowMs), brands });
    return {};
  });
}
