import { declareEvent } from './declare-event';

export interface DefaultChannelsChanged {
  /** All that new people are subscribed to from now on. */
  channelIds: number[];
  /** Who is told: everybody but guests. */
  receiverIds: number[];
}

/** An organization's default channels changed. Public event `default_streams`, for everybody but guests. */
export const defaultChannelsChanged = declareEvent<DefaultChannelsChanged>()('default-channels.changed', [
  {
    type: 'default_streams',
    audience: ({ receiverIds }) => ({ to: 'users', userIds: receiverIds }),
    variant: () => '',
    render: ({ channelIds }) => ({ type: 'default_streams', default_streams: channelIds }),
  },
]);
