import { Slices } from '@parley/shared/batch';
import type { Channel, ChannelObject, ChannelObjects, GetChannelObjectsRequest } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { publicChannel } from '@parley/shared/wire';
import type { ChannelsOf } from './known-channels';

/** Every channel of the organization, as JSON: who may know of which is not looked at here. Nothing to an asker who has it all. */
export async function getChannelObjects(
  channelsOf: ChannelsOf,
  { realmId, deadlineAt }: Caller,
  { knownVersion }: GetChannelObjectsRequest,
): Promise<ChannelObjects> {
  const { version, channels } = await channelsOf(realmId);
  if (version === knownVersion) return { version, isKnown: true, channels: [] };
  const slices = new Slices(deadlineAt);
  const objects: ChannelObject[] = [];
  for (const channel of channels) {
    await slices.pause();
    objects.push(toObject(channel));
  }
  return { version, isKnown: false, channels: objects };
}

function toObject(channel: Channel): ChannelObject {
  const { first_message_id: _id, ...known } = publicChannel(channel);
  const { id, isArchived } = channel;
  return { id, isArchived, json: Buffer.from(JSON.stringify(known)) };
}
