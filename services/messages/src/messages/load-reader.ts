import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import type { Reader } from './permissions';

/** What reading depends on, asked of realm once per request. */
export async function loadReader(ctx: Context, caller: Caller): Promise<Reader> {
  const { realm, channels } = await ctx.services.realm.getReadFacts(caller, {});
  if (!realm) throw new Error(`realm does not know the reader ${caller.userId}`);
  return { userId: caller.userId, realm, channels: new Map(channels.map((channel) => [channel.channelId, channel])) };
}
