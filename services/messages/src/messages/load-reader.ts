import type { ReadFacts } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { ROLES } from '@parley/shared/values';
import type { Context } from '../context';
import type { Reader } from './permissions';

/** What reading depends on, asked of realm once per request. */
export async function loadReader(ctx: Context, caller: Caller): Promise<Reader> {
  return readerOf(caller, await ctx.services.realm.getReadFacts(caller, {}));
}

/** The reader whom those facts are about. */
export function readerOf({ userId }: Caller, { realm, reader, channels, mutedUserIds, alertWords }: ReadFacts): Reader {
  if (!realm) throw new Error(`realm does not know the reader ${userId}`);
  return {
    userId,
    realm,
    channels: new Map(channels.map((channel) => [channel.channelId, channel])),
    mutedUserIds: new Set(mutedUserIds),
    alertWords,
    isGuest: reader?.role === ROLES.guest,
  };
}
