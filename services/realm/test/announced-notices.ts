import { type NoticeAnnounced, noticeAnnounced } from '@parley/shared/events';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../src/context';

/** The announced notices of the organization's system bots, in order. */
export async function announcedNotices(ctx: Context, { realmId }: Caller): Promise<NoticeAnnounced[]> {
  const rows = await ctx.db.query<{ payload: string }>(
    'select payload from outbox where realm_id = $1 and kind = $2 order by id',
    [realmId, noticeAnnounced.kind],
  );
  return rows.map(({ payload }) => JSON.parse(payload));
}
