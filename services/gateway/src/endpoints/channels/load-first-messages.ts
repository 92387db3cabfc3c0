import type { Channel } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../../context';
import { type FirstMessageOf, firstMessagesOf } from '../../wire/first-messages';

/** With what the channels of an answer began, to be shown with them. */
export async function loadFirstMessages(
  { services }: Context,
  call: Caller,
  channels: readonly Channel[],
): Promise<FirstMessageOf> {
  if (channels.length === 0) return firstMessagesOf([]);
  const channelIds = channels.map(({ id }) => id);
  const { activities } = await services.messages.getChannelActivity(call, { channelIds });
  return firstMessagesOf(activities);
}
