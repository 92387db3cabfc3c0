import type { GetTypingAudienceRequest, TypingAudience } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { possibleIds } from '../base/possible-values';
import type { Context } from '../context';
import { findTypingAudience } from './typing-audience.sql';

/** Users without typing notifications, among a channel's subscribers and some users. */
export function getTypingAudience(
  { db }: Context,
  { realmId }: Caller,
  { channelId, userIds }: GetTypingAudienceRequest,
): Promise<TypingAudience> {
  const [id = null] = possibleIds(channelId === undefined ? [] : [channelId]);
  return findTypingAudience(db, realmId, id, possibleIds(userIds));
}
