import type { Sql } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import type { Actor } from '../actors/actor';
import { loadChannelsByNames } from '../channels/channels.sql';
import { hasContentAccess } from '../channels/permissions';
import { viewerOf } from '../channels/viewer';
import { nameKey } from '../name-key';
import { possibleTexts } from '../possible-values';
import { listSubscriptions } from '../subscriptions/subscriptions.sql';

/** The id of the channel that a sent name means; an empty one means none. The actor must be able to read it. */
export async function defaultChannelFromInput(sql: Sql, actor: Actor, name: string): Promise<number | null> {
  if (name === '') return null;
  const { id: userId, realmId } = actor.user;
  const [channel] = await loadChannelsByNames(sql, realmId, possibleTexts([name.trim()]).map(nameKey));
  if (!channel || channel.isArchived) throw invalid(name);
  const [subscription] = await listSubscriptions(sql, realmId, [channel.id], [userId]);
  const viewer = viewerOf(actor, channel, subscription?.isActive === true);
  if (!hasContentAccess(channel, viewer)) throw invalid(name);
  return channel.id;
}

function invalid(name: string): BadRequestError {
  return new BadRequestError(`Invalid channel name '${name}'`);
}
