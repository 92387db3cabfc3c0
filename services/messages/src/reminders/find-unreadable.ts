import type { FindUnreadableRequest, UnreadableMessages } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { channelsOf, loadReader } from '../messages/load-reader';
import { maySee } from '../messages/permissions';
import { loadPlaces } from './places.sql';

/** Those of the messages that the caller may not read now; also those of which nothing is left that could tell. */
export async function findUnreadable(
  ctx: Context,
  caller: Caller,
  { messageIds }: FindUnreadableRequest,
): Promise<UnreadableMessages> {
  const places = await loadPlaces(ctx.db, caller.realmId, messageIds);
  const reader = await loadReader(ctx, caller, channelsOf(places));
  const readable = new Set(places.filter((place) => maySee(place, reader)).map(({ id }) => id));
  return { messageIds: messageIds.filter((id) => !readable.has(id)) };
}
