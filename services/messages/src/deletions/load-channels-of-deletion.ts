import { loadChannelKinds } from '../channels/load-channel-kinds';
import type { Context } from '../context';
import type { ChannelOfDeletion } from './delete-messages';

/** The channels that messages are in, to whomever they belong now; for deletions that nobody in the organization asks for. */
export async function loadChannelsOfDeletion(
  ctx: Context,
  realmId: number,
  messages: readonly { channelId: number | null }[],
): Promise<Map<number, ChannelOfDeletion>> {
  const channelIds = new Set(messages.flatMap(({ channelId }) => channelId ?? []));
  const kinds = await loadChannelKinds(ctx, realmId, [...channelIds]);
  return new Map([...kinds].map(([id, kind]) => [id, { ...kind, name: '' }]));
}
