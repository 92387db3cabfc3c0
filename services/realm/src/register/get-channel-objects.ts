import type { Channel, ChannelObject, ChannelObjects, GetChannelObjectsRequest } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { publicChannel } from '@parley/shared/wire';
import type { ChannelsOf } from './known-channels';

/** Every channel of the organization, as JSON: who may know of which is not looked at here. Nothing to an asker who has it all. */
export async function getChannelObjects(
  channelsOf: ChannelsOf,
  { realmId }: Caller,
  { knownVersion }: GetChannelObjectsRequest,
): Promise<ChannelObjects> {
  const { version, channels } = await channelsOf(realmId);
  const isKnown = version === knownVersion;
  return { version, isKnown, channels: isKnown ? [] : channels.map(toObject) };
}

function toObject(channel: Channel): ChannelObject {
  const { first_message_id: _id, ...known } = publicChannel(channel);
  const { id, isArchived } = channel;
  return { id, isArchived, json: Buffer.from(JSON.stringify(known)) };
}
