import type { GetSubscribersRequest, GetSubscribersResponse } from '@parley/shared/proto';
import type { Context } from '../context';
import { possibleIds } from '../possible-values';
import { findSubscribers } from './subscriptions.sql';

/** Who was subscribed to a channel, at every version up to the one returned; version 0 when there is no such channel. */
export async function getSubscribers(
  ctx: Context,
  { realmId, channelId }: GetSubscribersRequest,
): Promise<GetSubscribersResponse> {
  const isPossible = possibleIds([realmId, channelId]).length === 2;
  const found = isPossible ? await findSubscribers(ctx.db, realmId, channelId) : null;
  return { version: found?.version ?? 0, subscribers: found?.subscribers ?? [] };
}
