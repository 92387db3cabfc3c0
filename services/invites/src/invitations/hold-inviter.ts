import type { Transaction } from '@parley/shared/db';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { lockInviter, readmitInviter } from './inviters.sql';
import { loadFacts } from './load-facts';

/**
 * Held until the transaction ends, so that an invitation is either there for endInvitationsOfUsers() to find, or not made at all:
 * whose account may have ended since realm was asked is asked for once more. Throws USER_DEACTIVATED.
 */
export async function holdInviter(ctx: Context, tx: Transaction, caller: Caller): Promise<void> {
  const { realmId, userId } = caller;
  const isEnded = await lockInviter(tx, realmId, userId);
  if (!isEnded) return;
  await loadFacts(ctx, caller);
  await readmitInviter(tx, realmId, userId);
}
