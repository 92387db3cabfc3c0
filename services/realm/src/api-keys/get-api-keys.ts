import type { GetApiKeysResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { listApiKeys } from './api-keys.sql';

/** The caller's keys that open something; what they are for, never the keys themselves. */
export async function getApiKeys(ctx: Context, { realmId, userId }: Caller): Promise<GetApiKeysResponse> {
  return { keys: await listApiKeys(ctx.db, realmId, userId) };
}
