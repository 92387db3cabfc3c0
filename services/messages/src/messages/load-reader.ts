import type { ChannelScope, ReadFacts } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { ROLES } from '@parley/shared/values';
import type { Context } from '../context';
import type { MessagePlace, Reader } from './permissions';

/**
 * What reading depends on, asked of realm once per request. Whoever knows which channels the request is about says so: there are
 * thousands of others.
 */
export async function loadReader(
  ctx: Pick<Context, 'services'>,
  caller: Caller,
  channels?: ChannelScope,
): Promise<Reader> {
  return readerOf(caller, await ctx.services.realm.getReadFacts(caller, channels ? { channels } : {}));
}

/** The channels that access to the messages depends on: where they are, and where they were sent to. */
export function channelsOf(messages: readonly Pick<MessagePlace, 'channelId' | 'sentChannelId'>[]): ChannelScope {
  const ids = new Set(messages.flatMap(({ channelId, sentChannelId }) => [channelId, sentChannelId]));
  return { ids: [...ids].filter((id) => id !== null) };
}

/** The reader whom those facts are about. */
export function readerOf({ userId }: Caller, facts: ReadFacts): Reader {
  const { realm, reader, channels, mutedUserIds, alertWords } = facts;
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
