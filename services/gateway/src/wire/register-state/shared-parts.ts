import type { KnownChannel, User, UserLists } from '@parley/shared/proto';
import { isEmailVisibleTo } from '@parley/shared/values';
import { JsonPieces } from '../../http/json-pieces';
import type { ChannelShelf } from '../../shared-state/channel-shelf';

/** What an answer to POST /register takes from what many are told alike. A part that was not asked for is absent. */
export interface SharedParts {
  userLists?: UserLists;
  groups?: Uint8Array;
  channels?: ChannelShelf;
  /** Those that the caller may know of. */
  knownChannels: readonly KnownChannel[];
}

const ROW = '{"user_id":';
const HIDDEN_EMAIL = '"delivery_email":null';

/** A list of users as the caller sees it, who sees their own address whoever else does. */
export function usersSeenBy(own: User, list: Uint8Array): JsonPieces {
  const json = list as Buffer;
  if (isEmailVisibleTo(own.role, own.emailAddressVisibility)) return new JsonPieces([json]);
  // NOTE: within a text of the list these quotes would be escaped.
  const row = json.indexOf(`${ROW}${own.id},`);
  const email = row < 0 ? -1 : json.indexOf(HIDDEN_EMAIL, row);
  const next = json.indexOf(ROW, row + 1);
  // The list may be from before they hid it.
  const isHidden = email >= 0 && (next < 0 || email < next);
  if (!isHidden) return new JsonPieces([json]);
  const ownEmail = Buffer.from(`"delivery_email":${JSON.stringify(own.deliveryEmail)}`);
  return new JsonPieces([json.subarray(0, email), ownEmail, json.subarray(email + HIDDEN_EMAIL.length)]);
}
