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
  list: SerializedList,
  view: ChannelListView<Shown>,
): JsonPieces {
  const runs = runsOf(channels, list, view);
  if (runs.length === 0) return JsonPieces.shared([NOTHING]);
  const json = list.json as Buffer;
  if (runs.some(({ own }) => own !== null)) return new JsonPieces([copied(json, runs)]);
  const pieces = runs.map(({ start, end }) => json.subarray(start, end));
  const last = pieces.pop() as Uint8Array;
  // Removes the last comma.
  return JsonPieces.shared([OPEN, ...pieces, last.subarray(0, -1), CLOSE]);
}

/** A part of a serialized list, and what follows it. */
interface Run {
  start: number;
  end: number;
  own: Uint8Array | null;
}

function runsOf<Shown extends { channelId: number }>(
  channels: readonly Shown[],
  { segments }: SerializedList,
  { includesArchived, ownMembers }: ChannelListView<Shown>,
): Run[] {
  const runs: Run[] = [];
  for (const shown of channels) {
    // A channel created after the list was loaded: the client gets it by an event.
    const segment = segments.get(shown.channelId);
    if (!segment || (segment.isArchived && !includesArchived)) continue;
    const { start, end } = segment;
    const own = ownMembers?.(shown) ?? null;
    const ownEnd = own ? end - END_BYTES : end;
    const last = runs.at(-1);
    if (last?.own === null && last.end === start) {
      last.end = ownEnd;
      last.own = own;
    } else runs.push({ start, end: ownEnd, own });
  }
  return runs;
}

/** NOTE: hundreds of views of the list would take longer than a copy. */
function copied(json: Buffer, runs: readonly Run[]): Buffer {
  const bytes = runs.reduce((sum, { start, end, own }) => sum + end - start + (own?.length ?? 0), OPEN.length);
  const list = Buffer.allocUnsafe(bytes);
  let at = OPEN.copy(list);
  for (const { start, end, own } of runs) {
    at += json.copy(list, at, start, end);
    if (!own) continue;
    list.set(own, at);
    at += own.length;
  }
  // Instead of the last comma.
  CLOSE.copy(list, bytes - 1);
  return list;
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
