import { BadRequestError } from '@parley/shared/errors';
import type { FindChannelRequest, FoundChannel } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { loadActor } from '../actors/load-actor';
import type { Context } from '../context';
import { nameKey } from '../name-key';
import { possibleTexts } from '../possible-values';
import { seenBy } from './access-channel';
import { loadChannelsByNames } from './channels.sql';
import { hasMetadataAccess } from './permissions';

/** The id of the channel of that name, in any casing. */
export async function findChannel(ctx: Context, caller: Caller, { name }: FindChannelRequest): Promise<FoundChannel> {
  const actor = await loadActor(ctx.db, caller, ctx.clock.now());
  const channels = await loadChannelsByNames(ctx.db, caller.realmId, possibleTexts([nameKey(name)]));
  const [seen] = await seenBy(ctx.db, actor, channels);
  if (!seen || !hasMetadataAccess(seen.channel, seen.viewer)) {
    throw new BadRequestError(`Invalid channel name '${name}'`);
  }
  return { channelId: seen.channel.id };
}
