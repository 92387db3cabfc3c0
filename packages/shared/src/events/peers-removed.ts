import { declareEvent } from './declare-event';
import { audienceOfOneAnother, audienceOfPeers, type Peers } from './peers';

/** Others are subscribed to channels no more. Public event `subscription`, for whoever sees the channels. */
export const peersRemoved = declareEvent<Peers>()('peers.removed', [
  {
    type: 'subscription',
    audience: audienceOfPeers,
    variant: () => '',
    render: ({ channelIds, userIds }) => ({
      type: 'subscription',
      op: 'peer_remove',
      stream_ids: channelIds,
      user_ids: userIds,
    }),
  },
  {
    type: 'subscription',
    audience: audienceOfOneAnother,
    variant: () => '',
    render: ({ channelIds }) => ({ type: 'subscription', op: 'peer_remove', stream_ids: channelIds }),
    personal:
      ({ userIds }) =>
      (receiver) => ({ user_ids: userIds.filter((userId) => userId !== receiver.userId) }),
  },
]);
