import type { Channel } from '../proto';
import { publicChannel } from '../wire';
import type { Audience } from './audience';
import { publicChannelDeletion } from './channel-vanished';
import { declareEvent } from './declare-event';
import { knowsArchivedChannels } from './knows-archived-channels';

export interface ChannelArchived {
  /** As it is now. */
  channel: Channel;
  /** Whoever may know of it. */
  audience: Audience;
}

const isArchivedUpdate = ({ channel }: ChannelArchived) => ({
  type: 'stream',
  op: 'update',
  property: 'is_archived',
  value: channel.isArchived,
  stream_id: channel.id,
  name: channel.name,
});

/** A channel was archived, or is in use again. Public events `stream`: clients that do not know archived channels lose or get it. */
export const channelArchived = declareEvent<ChannelArchived>()('channel.archived', [
  {
    type: 'stream',
    audience: ({ audience }) => audience,
    isFor: (_payload, view) => knowsArchivedChannels(view),
    variant: () => '',
    render: isArchivedUpdate,
  },
  {
    type: 'stream',
    audience: ({ audience }) => audience,
    isFor: (_payload, view) => !knowsArchivedChannels(view),
    variant: () => '',
    begunChannelIds: ({ channel }) => (channel.isArchived ? [] : [channel.id]),
    render: ({ channel }, _view, firstMessageOf) =>
      channel.isArchived
        ? publicChannelDeletion([channel.id])
        : // The subscribers follow, and clients add them to the number that they got with the channel.
          {
            type: 'stream',
            op: 'create',
            streams: [publicChannel({ ...channel, subscriberCount: 0 }, firstMessageOf?.(channel.id))],
          },
  },
]);
