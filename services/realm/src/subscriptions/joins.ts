import { BadRequestError } from '@parley/shared/errors';
import type { ChannelToJoin } from '@parley/shared/proto';
import { channelDescriptionFromInput } from '../channels/channel-description';
import { channelNameFromInput } from '../channels/channel-name';
import { nameKey } from '../name-key';
import { colorFromInput } from './colors';

const MAX_CHANNELS = 500;

/** A channel that somebody is to be subscribed to, as the request names it. */
export interface Join {
  name: string;
  nameKey: string;
  /** For a channel that does not exist yet. */
  description: string;
  /** Null: the server picks one. */
  color: string | null;
}

/** The channels that a request names, each once. */
export function joinsFromInput(channels: readonly ChannelToJoin[]): Join[] {
  if (channels.length > MAX_CHANNELS) throw new BadRequestError(`Too many channels (limit: ${MAX_CHANNELS})`);
  const joins = new Map<string, Join>();
  channels.forEach((channel, index) => {
    const join = joinFromInput(channel, index);
    if (!joins.has(join.nameKey)) joins.set(join.nameKey, join);
  });
  return [...joins.values()];
}

function joinFromInput({ name: text, description, color: colorText }: ChannelToJoin, index: number): Join {
  const name = channelNameFromInput(text);
  const color = colorText === '' ? null : colorFromInput(colorText, `subscriptions[${index}]["color"]`);
  return { name, nameKey: nameKey(name), description: channelDescriptionFromInput(description), color };
}
