import type { ListRetentionRequest, RetentionList } from '@parley/shared/proto';
import type { Context } from '../context';
import { listRetention as loadRetention } from './retention.sql';

/** How long messages are kept, wherever not for ever: what their deletion goes by. */
export async function listRetention({ db }: Context, { realmId }: ListRetentionRequest): Promise<RetentionList> {
  return { realms: await loadRetention(db, realmId ?? null) };
}
