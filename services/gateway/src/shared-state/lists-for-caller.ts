import type { KnownChannels, Subscription, User } from '@parley/shared/proto';
import { isEmailVisibleTo } from '@parley/shared/values';
import { JsonPieces } from '../http/json-pieces';
import type { SerializedList } from './serialized-channels';

const OPEN = Buffer.from('[');
const CLOSE = Buffer.from(']');
const NOTHING = Buffer.from('[]');
/** Each serialized channel ends with a brace and a comma. */
const END_BYTES = 2;

export interface ChannelListView<Shown> {
  /** Clients without support for archived channels do not get them. */
  includesArchived: boolean;
  /** Further members of a channel's JSON object, by membersOf(); null: none. */
  ownMembers?: (shown: Shown) => Uint8Array | null;
}

/** Members to be added to a JSON object. */
export function membersOf(object: object): Uint8Array {
  return Buffer.from(`,${JSON.stringify(object).slice(1)},`);
}

/** A channel visible to the caller, with the caller's properties of it. */
export interface OwnChannel {
  channelId: number;
  isSubscribed: boolean;
  /** To be added to the channel's JSON object; null: never subscribed. */
  own: Uint8Array | null;
}

/** The channels of all groups, by id. */
export function ownChannels(
  groups: readonly KnownChannels[],
  present: (subscription: Subscription) => object,
): OwnChannel[] {
  const channels = groups.flatMap(({ channelIds, isSubscribed, subscription }) => {
    const own = subscription ? membersOf(present(subscription)) : null;
    return channelIds.map((channelId) => ({ channelId, isSubscribed, own }));
  });
  return channels.sort((a, b) => a.channelId - b.channelId);
}

/** The channels, in their order, as one list. */
export function channelList<Shown extends { channelId: number }>(
  channels: readonly Shown[],
  { json, segments }: SerializedList,
  { includesArchived, ownMembers }: ChannelListView<Shown>,
): JsonPieces {
  const pieces: Uint8Array[] = [OPEN];
  let run = { start: 0, end: 0 };
  const endRun = () => {
    if (run.end > run.start) pieces.push(json.subarray(run.start, run.end));
  };
  for (const shown of channels) {
    // A channel created after the list was loaded: the client gets it by an event.
    const segment = segments.get(shown.channelId);
    if (!segment || (segment.isArchived && !includesArchived)) continue;
    if (segment.start !== run.end) {
      endRun();
      run = { start: segment.start, end: segment.start };
    }
    run.end = segment.end;
    const own = ownMembers?.(shown);
    if (!own) continue;
    run.end -= END_BYTES;
    endRun();
    pieces.push(own);
    run = { start: segment.end, end: segment.end };
  }
  endRun();
  const last = pieces.pop() as Uint8Array;
  // Removes the last comma.
  const list = pieces.length === 0 ? [NOTHING] : [...pieces, last.subarray(0, -1), CLOSE];
  // Between own members the pieces are short, and are copied when they are written.
  return ownMembers ? new JsonPieces(list) : JsonPieces.shared(list);
}

const ROW = '{"user_id":';
const HIDDEN_EMAIL = '"delivery_email":null';

/** A list of users as visible to the caller, with the caller's own address. */
export function usersSeenBy(own: User, list: Uint8Array): JsonPieces {
  const json = list as Buffer;
  if (isEmailVisibleTo(own.role, own.emailAddressVisibility)) return JsonPieces.shared([json]);
  // NOTE: within a string of the list these quotes would be escaped.
  const row = json.indexOf(`${ROW}${own.id},`);
  const email = row < 0 ? -1 : json.indexOf(HIDDEN_EMAIL, row);
  const next = json.indexOf(ROW, row + 1);
  // The list may be older than the change of their visibility.
  const isHidden = email >= 0 && (next < 0 || email < next);
  if (!isHidden) return JsonPieces.shared([json]);
  const ownEmail = Buffer.from(`"delivery_email":${JSON.stringify(own.deliveryEmail)}`);
  return JsonPieces.shared([json.subarray(0, email), ownEmail, json.subarray(email + HIDDEN_EMAIL.length)]);
}
