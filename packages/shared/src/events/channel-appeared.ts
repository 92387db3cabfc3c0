import type { Channel } from '../proto';
import { publicChannel } from '../wire';
import type { Audience } from './audience';
import { declareEvent } from './declare-event';
import { seesChannel } from './knows-archived-channels';

export interface ChannelAppeared {
  channel: Channel;
  /** Those who did not know of it. */
  audience: Audience;
}

/** A channel is there for users who did not know of it: it is new, or they may know of it from now on. Public event `stream`. */
export const channelAppeared = declareEvent<ChannelAppeared>()('channel.appeared', [
  {
    type: 'stream',
    audience: ({ audience }) => audience,
    isFor: ({ channel }, view) => seesChannel(channel, view),
    variant: () => '',
    render: ({ channel }) => ({ type: 'stream', op: 'create', streams: [publicChannel(channel)] }),
  },
]);
