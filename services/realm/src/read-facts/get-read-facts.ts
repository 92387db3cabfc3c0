import type { ChannelReadFacts, ReadFacts, User } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { hasContentAccess, hasMetadataAccess, mayReadHistory, type Viewer } from '../channels/permissions';
import type { Context } from '../context';
import { type ChannelRow, loadReadFacts } from './read-facts.sql';

/**
 * What reading messages depends on: the channels the caller may see the metadata of, or was ever subscribed to, and what was
 * received where. One SQL statement.
 */
export async function getReadFacts(ctx: Context, { realmId, userId }: Caller): Promise<ReadFacts> {
  const facts = await loadReadFacts(ctx.db, realmId, userId, ctx.clock.now());
  if (facts === null) throw new Error(`organization ${realmId} has no user ${userId}, in whose name it was called`);
  const { realm, reader, channels } = facts;
  const known = channels.filter(
    (channel) => channel.intervals !== undefined || hasMetadataAccess(channel, viewerOf(channel, reader)),
  );
  return { realm, reader, channels: known.map((channel) => toReadFacts(channel, reader)) };
}

function viewerOf({ isSubscribed, holds = [] }: ChannelRow, { role }: User): Viewer {
  return { role, isSubscribed, holds: new Set(holds) };
}

function toReadFacts(channel: ChannelRow, reader: User): ChannelReadFacts {
  const { channelId, name, isSubscribed, isMuted, isPrivate, isWebPublic, isArchived, intervals } = channel;
  const viewer = viewerOf(channel, reader);
  return {
    channelId,
    name,
    mayReadHistory: mayReadHistory(channel, viewer),
    hasContentAccess: hasContentAccess(channel, viewer),
    isSubscribed,
    isMuted,
    isPublic: !isPrivate,
    isWebPublic,
    isArchived,
    intervals: intervals ?? [],
  };
}
