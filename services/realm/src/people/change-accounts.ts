import type { Transaction } from '@parley/shared/db';
import type { User } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { loadActor } from '../actors/actor';
import type { Context } from '../context';
import { lockRealm } from '../organization/realms.sql';

/**
 * Changes others' accounts in one transaction with the organization's row locked. The caller is loaded after that: of two owners who
 * demote each other, the second has lost the right.
 */
export function changeAccounts<Result>(
  ctx: Context,
  caller: Caller,
  change: (tx: Transaction, actor: User) => Promise<Result>,
): Promise<Result> {
  return ctx.db.transaction(async (tx) => {
    await lockRealm(tx, caller.realmId);
    const { user } = await loadActor(tx, caller, ctx.clock.now());
    return change(tx, user);
  });
}
