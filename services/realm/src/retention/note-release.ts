import type { NoteReleaseRequest, NoteReleaseResponse } from '@parley/shared/proto';
import { toSeconds } from '@parley/shared/values';
import type { Context } from '../context';
import { announceRelease, lockRelease, storeRelease } from './releases.sql';

/**
 * Stores the server's release. Announces a change once to clients whose queues outlive an upgrade, however many gateways report it. The
 * first report is no change.
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
