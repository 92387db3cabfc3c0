import type { DefaultChannelGroup } from '../proto';

/** The API's default channel group object. */
export function publicDefaultChannelGroup({ id, name, description, channelIds }: DefaultChannelGroup) {
  return { id, name, description, streams: channelIds };
}
