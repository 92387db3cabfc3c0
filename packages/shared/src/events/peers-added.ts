import { declareEvent } from './declare-event';
import { missedIt } from './knows-archived-channels';
import { audienceOfPeers, type Peers } from './peers';

/** Others are subscribed to channels now. Public event `subscription`, for whoever sees the channels. */
export const peersAdded = declareEvent<Peers>()('peers.added', [
  {
    type: 'subscription',
    audience: audienceOfPeers,
    isFor: missedIt,
    variant: () => '',
    render: ({ channelIds, userIds }) => ({
      type: 'subscription',
      op: 'peer_add',
      stream_ids: channelIds,
      user_ids: userIds,
    }),
  },
]);
