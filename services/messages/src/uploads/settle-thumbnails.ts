import { announce } from '@parley/shared/bus';
import type { SettleThumbnailsRequest, SettleThumbnailsResponse } from '@parley/shared/proto';
import type { Context } from '../context';
import { lockByPath, type UploadRow } from './attachment.sql';
import { showSettled } from './show-settled';
import { settle } from './thumbnails.sql';

/** Notes whether an image's thumbnails can be shown, and puts them (or nothing) where messages hold their place. */
export function settleThumbnails(ctx: Context, request: SettleThumbnailsRequest): Promise<SettleThumbnailsResponse> {
  const { realmId, pathId, isReady } = request;
  return ctx.db.transaction(async (tx) => {
    if ((await settle(tx, { realmId, pathId }, isReady)) === null) return {};
    const upload = (await lockByPath(tx, realmId, pathId)) as UploadRow;
    await announce(tx, ...(await showSettled(tx, realmId, upload, ctx.clock.now())));
    return {};
  });
}
