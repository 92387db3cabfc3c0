import { declareEvent } from './declare-event';
import { archivedVariant } from './knows-archived-channels';
import { audienceOfPeers, type Peers, shownChannelIds } from './peers';

/** Others are subscribed to channels now. Public event `subscription`, for whoever sees the channels. */
export const peersAdded = declareEvent<Peers>()('peers.added', [
  {
    type: 'subscription',
    audience: audienceOfPeers,
    isFor: (peers, view) => shownChannelIds(peers, view).length > 0,
    variant: archivedVariant,
    render: (peers, view) => ({
      type: 'subscription',
      op: 'peer_add',
      stream_ids: shownChannelIds(peers, view),
      user_ids: peers.userIds,
    }),
  },
]);
