import type { DefaultChannelGroup } from '../proto';
import { publicDefaultChannelGroup } from '../wire';
import { declareEvent } from './declare-event';

export interface DefaultChannelsChanged {
  /** All that new people are subscribed to from now on. */
  channelIds: number[];
  /** Everybody but guests. */
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

export interface DefaultChannelGroupsChanged {
  /** All default channels after the change. */
  groups: DefaultChannelGroup[];
  /** Everybody but guests. */
  receiverIds: number[];
}

/** The sets of channels offered to new users changed. Public event `default_stream_groups`, for everybody but guests. */
export const defaultChannelGroupsChanged = declareEvent<DefaultChannelGroupsChanged>()(
  'default-channel-groups.changed',
  [
    {
      type: 'default_stream_groups',
      audience: ({ receiverIds }) => ({ to: 'users', userIds: receiverIds }),
      variant: () => '',
      render: ({ groups }) => ({
        type: 'default_stream_groups',
        default_stream_groups: groups.map(publicDefaultChannelGroup),
      }),
    },
  ],
);
