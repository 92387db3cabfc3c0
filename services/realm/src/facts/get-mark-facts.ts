import type { GetMarkFactsRequest, MarkFacts, OutsideReader, ReactionQuery } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { isGuest } from '@parley/shared/values';
import { possibleIds, possibleTexts } from '../base/possible-values';
import { listOutsideReaders } from '../channel-access/list-outside-readers';
import type { Context } from '../context';
import { toKnown } from './get-read-facts';
import { loadFlagFacts, loadReactionFacts } from './mark-facts.sql';
import { type ChannelRow, loadChannelsOfReaders } from './read-facts.sql';

/** The facts for marking messages. One SQL statement, unless private channels are involved that others than subscribers may read. */
export async function getMarkFacts(
  ctx: Context,
  caller: Caller,
  { channelIds, reaction }: GetMarkFactsRequest,
): Promise<MarkFacts> {
  const { realmId, userId } = caller;
  const ids = possibleIds(channelIds);
  if (!reaction) {
    const facts = known(caller, await loadFlagFacts(ctx.db, realmId, userId, ids));
    const channels = toKnown(await withRights(ctx, caller, facts), facts);
    return { channels, mutedUserIds: facts.mutedUserIds, customEmoji: [], outsideReaders: [] };
  }
  const facts = known(caller, await loadReactionFacts(ctx.db, realmId, userId, ids, keysOf(reaction)));
  const { email, fullName, isBot, settings, customEmoji } = facts;
  return {
    channels: toKnown(await withRights(ctx, caller, facts), facts),
    mutedUserIds: [],
    user: { id: userId, email, fullName, isBot, settings: settings ?? '{}' },
    customEmoji,
    outsideReaders: await findOutsideReaders(ctx, caller, reaction, facts.channels),
  };
}

function known<Facts>({ realmId, userId }: Caller, facts: Facts | null): Facts {
  if (facts === null) throw new Error(`organization ${realmId} has no user ${userId}, in whose name it was called`);
  return facts;
}

interface FactsOnChannels {
  role: number;
  channels: ChannelRow[];
}

/** The groups of a user matter only where they might read a private channel without being subscribed. */
async function withRights(ctx: Context, caller: Caller, { role, channels }: FactsOnChannels): Promise<ChannelRow[]> {
  const { realmId, userId } = caller;
  const isOpen = ({ isPrivate, isWebPublic, isSubscribed }: ChannelRow) => !isPrivate || isWebPublic || isSubscribed;
  const channelIds = channels.filter((channel) => !isOpen(channel)).map(({ channelId }) => channelId);
  if (channelIds.length === 0 || isGuest(role)) return channels;
  const [reader] = await loadChannelsOfReaders(ctx.db, realmId, [{ userId, channelIds }], ctx.clock.now());
  return [...channels.filter(isOpen), ...(reader?.channels ?? [])];
}

function keysOf({ emojiName, emojiCode }: ReactionQuery) {
  const [name = null] = possibleTexts(emojiName === undefined ? [] : [emojiName]);
  const [id = null] = possibleIds(emojiCode === undefined ? [] : [Number(emojiCode)]);
  return { name, id };
}

async function findOutsideReaders(
  ctx: Context,
  { realmId }: Caller,
  { channelId, holderIds }: ReactionQuery,
  channels: readonly ChannelRow[],
): Promise<OutsideReader[]> {
  const channel = channels.find((each) => each.channelId === channelId);
  if (!channel?.isPrivate) return [];
  const asked = { realmId, channelIds: [channel.channelId], userIds: holderIds };
  return (await listOutsideReaders(ctx, asked)).readers;
}
