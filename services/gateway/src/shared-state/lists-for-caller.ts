import type { KnownChannels, Subscription, User } from '@parley/shared/proto';
import { isEmailVisibleTo } from '@parley/shared/values';
import { JsonPieces } from '../http/json-pieces';
import type { Segment, SerializedList } from './serialized-channels';

const OPEN = Buffer.from('[');
const CLOSE = Buffer.from(']');
const NOTHING = Buffer.from('[]');
/** Each serialized channel ends with a brace and a comma. */
const END_BYTES = 2;

/** Members to be added to a JSON object. */
export function membersOf(object: object): Uint8Array {
  return Buffer.from(`,${JSON.stringify(object).slice(1)},`);
}

/** The channels that the caller gets, in their order. */
export interface OwnChannels {
  ids: number[];
  /** Members to be added to the channels' JSON objects, if there are any. */
  own?: ReadonlyMap<number, Uint8Array>;
}

/** The channels of all groups, by id, with the caller's properties. */
export function ownChannels(
  groups: readonly KnownChannels[],
  present: (subscription: Subscription) => object,
): OwnChannels {
  const own = new Map<number, Uint8Array>();
  for (const { channelIds, subscription } of groups) {
    if (!subscription) continue;
    const members = membersOf(present(subscription));
    for (const channelId of channelIds) own.set(channelId, members);
  }
  return { ...knownChannels(groups), own };
}

/** The same without these properties. */
export function knownChannels(groups: readonly KnownChannels[]): OwnChannels {
  return { ids: groups.flatMap(({ channelIds }) => channelIds).sort((a, b) => a - b) };
}

/** The channels as one list. Clients without support for archived channels do not get them. */
export function channelList(
  { ids, own }: OwnChannels,
  { json, segments }: SerializedList,
  { includesArchived }: { includesArchived: boolean },
): JsonPieces {
  const listed: Segment[] = [];
  for (const id of ids) {
    const segment = segments.get(id);
    // Without a segment it was created after the list was loaded: the client gets it by an event.
    if (segment && (includesArchived || !segment.isArchived)) listed.push(segment);
  }
  if (listed.length === 0) return JsonPieces.shared([NOTHING]);
  return own?.size ? new JsonPieces([copied(json as Buffer, listed, own)]) : viewed(json as Buffer, listed);
}

function viewed(json: Buffer, listed: readonly Segment[]): JsonPieces {
  const runs: { start: number; end: number }[] = [];
  for (const { start, end } of listed) {
    const last = runs.at(-1);
    if (last?.end === start) last.end = end;
    else runs.push({ start, end });
  }
  const pieces = runs.map(({ start, end }) => json.subarray(start, end));
  const last = pieces.pop() as Uint8Array;
  // Removes the last comma.
  return JsonPieces.shared([OPEN, ...pieces, last.subarray(0, -1), CLOSE]);
}

/** NOTE: hundreds of views of the list would take longer than a copy. */
function copied(json: Buffer, listed: readonly Segment[], own: ReadonlyMap<number, Uint8Array>): Buffer {
  const bytes = listed.reduce((sum, segment) => sum + bytesOf(segment, own.get(segment.channelId)), OPEN.length);
  const list = Buffer.allocUnsafe(bytes);
  let at = OPEN.copy(list);
  for (const { channelId, start, end } of listed) {
    const members = own.get(channelId);
    at += json.copy(list, at, start, members ? end - END_BYTES : end);
    if (!members) continue;
    list.set(members, at);
    at += members.length;
  }
  // Instead of the last comma.
  CLOSE.copy(list, bytes - 1);
  return list;
}

/** Members take the place of the object's end, and have it at their own end. */
function bytesOf({ start, end }: Segment, members: Uint8Array | undefined): number {
  return end - start + (members ? members.length - END_BYTES : 0);
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
