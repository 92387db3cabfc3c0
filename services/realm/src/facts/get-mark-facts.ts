import type { GetMarkFactsRequest, MarkFacts, OutsideReader, ReactionQuery } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { isGuest } from '@parley/shared/values';
import { confirmBy, keyToConfirm } from '../api-keys/confirm-credential';
import type { HolderNow } from '../api-keys/permissions';
import { possibleIds, possibleTexts } from '../base/possible-values';
import { listOutsideReaders } from '../channel-access/list-outside-readers';
import type { Context } from '../context';
import { toKnown } from './get-read-facts';
import { loadFlagFacts, loadReactionFacts } from './mark-facts.sql';
import { type ChannelRow, loadChannelsOfReaders } from './read-facts.sql';

/**
 * The facts for marking messages. One SQL statement, unless users other than subscribers may read one of the private channels.
 */
export async function getMarkFacts(
  ctx: Context,
  caller: Caller,
  { channelIds, reaction }: GetMarkFactsRequest,
): Promise<MarkFacts> {
  const { realmId, userId } = caller;
  const keys = { realmId, userId, apiKeyId: keyToConfirm(caller), channelIds: possibleIds(channelIds) };
  if (!reaction) {
    const facts = known(caller, await loadFlagFacts(ctx.db, keys));
    const channels = toKnown(await withRights(ctx, caller, facts), facts);
    return { channels, mutedUserIds: facts.mutedUserIds, customEmoji: [], outsideReaders: [] };
  }
  const facts = known(caller, await loadReactionFacts(ctx.db, keys, emojiKeysOf(reaction)));
  const { email, fullName, isBot, settings, customEmoji } = facts;
  return {
    channels: toKnown(await withRights(ctx, caller, facts), facts),
    mutedUserIds: [],
    user: { id: userId, email, fullName, isBot, settings: settings ?? '{}' },
    customEmoji,
    outsideReaders: await findOutsideReaders(ctx, caller, reaction, facts.channels),
  };
}

/** Returns the facts after confirming the caller's credential by them. */
function known<Facts extends { holder: HolderNow | null }>(caller: Caller, facts: Facts | null): Facts {
  const { realmId, userId } = caller;
  if (facts === null) throw new Error(`organization ${realmId} has no user ${userId}, in whose name it was called`);
  confirmBy(facts.holder, caller);
  return facts;
}

interface FactsOnChannels {
  role: number;
  channels: ChannelRow[];
}

/** A user's groups matter only for private channels that they might read without a subscription. */
export async function withRights(
  ctx: Context,
  caller: Caller,
  { role, channels }: FactsOnChannels,
): Promise<ChannelRow[]> {
  const { realmId, userId } = caller;
  const isOpen = ({ isPrivate, isWebPublic, isSubscribed }: ChannelRow) => !isPrivate || isWebPublic || isSubscribed;
  const channelIds = channels.filter((channel) => !isOpen(channel)).map(({ channelId }) => channelId);
  if (channelIds.length === 0 || isGuest(role)) return channels;
  const [reader] = await loadChannelsOfReaders(ctx.db, realmId, [{ userId, channelIds }], ctx.clock.now());
  return [...channels.filter(isOpen), ...(reader?.channels ?? [])];
}

function emojiKeysOf({ emojiName, emojiCode }: ReactionQuery) {
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
