import { declareEvent } from './declare-event';
import { archivedVariant } from './knows-archived-channels';
import { audienceOfOneAnother, audienceOfPeers, type Peers, shownChannelIds } from './peers';

/** Others are subscribed to channels no more. Public event `subscription`, for whoever sees the channels. */
export const peersRemoved = declareEvent<Peers>()('peers.removed', [
  {
    type: 'subscription',
    audience: audienceOfPeers,
    isFor: (peers, view) => shownChannelIds(peers, view).length > 0,
    variant: archivedVariant,
    render: (peers, view) => ({
      type: 'subscription',
      op: 'peer_remove',
      stream_ids: shownChannelIds(peers, view),
      user_ids: peers.userIds,
    }),
  },
  {
    type: 'subscription',
    audience: audienceOfOneAnother,
    isFor: (peers, view) => shownChannelIds(peers, view).length > 0,
    variant: archivedVariant,
    render: (peers, view) => ({
      type: 'subscription',
      op: 'peer_remove',
      stream_ids: shownChannelIds(peers, view),
    }),
    personal:
      ({ userIds }) =>
      (receiver) => ({ user_ids: userIds.filter((userId) => userId !== receiver.userId) }),
  },
]);
