import type { ChannelActivities, ChannelObject } from '@parley/shared/proto';
import { firstMessagesOf } from '../wire/channels';

export interface SubscribersOfChannel {
  /** A JSON array. */
  userIds: Uint8Array;
  /** More subscribers may be missing: the list is partial. */
  isPartial: boolean;
}

export type SubscribersByChannel = ReadonlyMap<number, SubscribersOfChannel>;

/** The segment of a channel in the serialized list: an object, and a comma. */
export interface Segment {
  start: number;
  end: number;
  isArchived: boolean;
}

/** All channels of an organization, serialized one after the other, so that consecutive ones are one piece. */
export interface SerializedList {
  json: Uint8Array;
  segments: ReadonlyMap<number, Segment>;
}

export interface SerializedChannels {
  channels: SerializedList;
  /** The same with their subscribers, if requested. */
  withSubscribers: SerializedList;
}

const END = Buffer.from('},');
const SUBSCRIBERS = Buffer.from(',"subscribers":');
const PARTIAL_SUBSCRIBERS = Buffer.from(',"partial_subscribers":');
const NOBODY: SubscribersOfChannel = { userIds: Buffer.from('[]'), isPartial: false };

export function serializeChannels(
  objects: readonly ChannelObject[],
  { activities }: ChannelActivities,
  subscribers: SubscribersByChannel | null,
): SerializedChannels {
  const firstMessageOf = firstMessagesOf(activities);
  const open = (object: ChannelObject) => [
    (object.json as Buffer).subarray(0, -1),
    Buffer.from(`,"first_message_id":${firstMessageOf(object)}`),
  ];
  const opened = objects.map((object) => ({ object, pieces: open(object) }));
  const channels = listOf(opened.map(({ object, pieces }) => ({ object, pieces: [...pieces, END] })));
  if (!subscribers) return { channels, withSubscribers: channels };
  const withSubscribers = opened.map(({ object, pieces }) => {
    const { userIds, isPartial } = subscribers.get(object.id) ?? NOBODY;
    return { object, pieces: [...pieces, isPartial ? PARTIAL_SUBSCRIBERS : SUBSCRIBERS, userIds, END] };
  });
  return { channels, withSubscribers: listOf(withSubscribers) };
}

function listOf(list: readonly { object: ChannelObject; pieces: readonly Uint8Array[] }[]): SerializedList {
  const segments = new Map<number, Segment>();
  let end = 0;
  for (const { object, pieces } of list) {
    const start = end;
    for (const { length } of pieces) end += length;
    segments.set(object.id, { start, end, isArchived: object.isArchived });
  }
  return { json: Buffer.concat(list.flatMap(({ pieces }) => pieces)), segments };
}
