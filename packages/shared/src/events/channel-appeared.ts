import type { Channel } from '../proto';
import { publicChannel } from '../wire';
import type { Audience } from './audience';
import { declareEvent } from './declare-event';
import { archivedVariant, seesChannel } from './knows-archived-channels';

export interface ChannelAppeared {
  channel: Channel;
  /** Those that appeared together with it, for the same users. */
  others?: Channel[];
  /** Those who did not know of it. */
  audience: Audience;
}

const channelsOf = ({ channel, others = [] }: ChannelAppeared) => [channel, ...others];

/** Channels are there for users who did not know of them: they are new, or visible to them from now on. Public event `stream`. */
export const channelAppeared = declareEvent<ChannelAppeared>()('channel.appeared', [
  {
    type: 'stream',
    audience: ({ audience }) => audience,
    isFor: (payload, view) => channelsOf(payload).some((channel) => seesChannel(channel, view)),
    variant: archivedVariant,
    begunChannelIds: (payload) => channelsOf(payload).map(({ id }) => id),
    render: (payload, view, firstMessageOf) => ({
      type: 'stream',
      op: 'create',
      streams: channelsOf(payload)
        .filter((channel) => seesChannel(channel, view))
        .map((channel) => publicChannel(channel, firstMessageOf?.(channel.id))),
    }),
  },
]);
