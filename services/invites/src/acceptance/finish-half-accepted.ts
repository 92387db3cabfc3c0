import type { Transaction } from '@parley/shared/db';
import { newCall } from '@parley/shared/rpc';
import type { Context } from '../context';
import { sweepAttempts } from './acceptance-attempts.sql';
import { lockHalfAccepted, reopen } from './accepted.sql';
import { finishAcceptance } from './finish-acceptance';

/** Longer than a call to realm can take. */
const HALF_ACCEPTED_AFTER_MS = 60_000;
const MAX_INVITATIONS = 20;
const MAX_ATTEMPTS = 1_000;

/** Ends what a replica had begun that died before it heard realm's answer: there is an account, or there is none. */
export async function finishHalfAccepted(ctx: Context): Promise<void> {
  const nowMs = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    const begun = await lockHalfAccepted(tx, nowMs - HALF_ACCEPTED_AFTER_MS, MAX_INVITATIONS);
    for (const invitation of begun) await finish(ctx, tx, invitation);
  });
  await sweepAttempts(ctx.db, nowMs, MAX_ATTEMPTS);
}

async function finish(
  { services }: Context,
  tx: Transaction,
  { realmId, ...invitation }: { realmId: number; id: number; email: string; referrerId: number },
): Promise<void> {
  const found = await services.realm.findInvitedAccount(newCall(), { realmId, invitationId: invitation.id });
  const { userId, administratorIds } = found;
  if (userId === undefined) await reopen(tx, realmId, invitation.id);
  else await finishAcceptance(tx, { realmId, invitation, userId, administratorIds });
}
