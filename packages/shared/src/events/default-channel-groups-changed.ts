import type { DefaultChannelGroup } from '../proto';
import { publicDefaultChannelGroup } from '../wire';
import { declareEvent } from './declare-event';

export interface DefaultChannelGroupsChanged {
  /** All that there are from now on. */
  groups: DefaultChannelGroup[];
  /** Who is told: everybody but guests. */
  receiverIds: number[];
}

/** The sets of channels for people who join have changed. Public event `default_stream_groups`, for everybody but guests. */
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
