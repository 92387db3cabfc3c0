import type { ChannelActivity, ChannelObject } from '@parley/shared/proto';
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
  channelId: number;
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

interface KeptList {
  objects: readonly ChannelObject[];
  activities: readonly ChannelActivity[];
  list: SerializedList;
}

/** Lists that are kept as long as what they are made of: while nothing changes, an answer writes the same bytes as the one before. */
export class KeptLists {
  readonly #kept = new WeakMap<object, KeptList>();

  /** `subscribers` null: without them. The arguments must not be changed later. */
  of(
    objects: readonly ChannelObject[],
    activities: readonly ChannelActivity[],
    subscribers: SubscribersByChannel | null,
  ): SerializedList {
    const source = subscribers ?? objects;
    const kept = this.#kept.get(source);
    if (kept?.objects === objects && haveSameBeginnings(kept.activities, activities)) return kept.list;
    const list = serializeChannels(objects, activities, subscribers);
    this.#kept.set(source, { objects, activities, list });
    return list;
  }
}

function haveSameBeginnings(some: readonly ChannelActivity[], others: readonly ChannelActivity[]): boolean {
  if (some === others) return true;
  return (
    some.length === others.length &&
    some.every(({ channelId, firstMessageId }, index) => {
      const other = others[index];
      return other?.channelId === channelId && other.firstMessageId === firstMessageId;
    })
  );
}

function serializeChannels(
  objects: readonly ChannelObject[],
  activities: readonly ChannelActivity[],
  subscribers: SubscribersByChannel | null,
): SerializedList {
  const firstMessageOf = firstMessagesOf(activities);
  const list = objects.map((object) => ({
    object,
    pieces: [
      (object.json as Buffer).subarray(0, -1),
      Buffer.from(`,"first_message_id":${firstMessageOf(object)}`),
      ...(subscribers ? subscribersPieces(subscribers.get(object.id) ?? NOBODY) : []),
      END,
    ],
  }));
  return listOf(list);
}

function subscribersPieces({ userIds, isPartial }: SubscribersOfChannel): Uint8Array[] {
  return [isPartial ? PARTIAL_SUBSCRIBERS : SUBSCRIBERS, userIds];
}

function listOf(list: readonly { object: ChannelObject; pieces: readonly Uint8Array[] }[]): SerializedList {
  const segments = new Map<number, Segment>();
  let end = 0;
  for (const { object, pieces } of list) {
    const start = end;
    for (const { length } of pieces) end += length;
    const { id: channelId, isArchived } = object;
    segments.set(channelId, { channelId, start, end, isArchived });
  }
  return { json: Buffer.concat(list.flatMap(({ pieces }) => pieces)), segments };
}
