import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { invitationsChanged } from '@parley/shared/events';
import { runPeriodically } from '@parley/shared/jobs';
import { newCall } from '@parley/shared/rpc';
import type { Context } from '../context';
import { deleteKeys } from '../keys/keys.sql';
import { deleteMailJobs } from '../mail-jobs/mail-jobs.sql';
import { lockHalfAccepted, markUsed, reopen, revokeAccepting, revokeOthersOf, sweepAttempts } from './accepted.sql';

const EVERY_MS = 30_000;

/** Completes interrupted acceptances periodically, until the returned function is called. */
export function finishHalfAcceptedPeriodically(ctx: Context): () => Promise<void> {
  return runPeriodically(ctx, { everyMs: EVERY_MS, failure: 'interrupted acceptances were not completed' }, () =>
    finishHalfAccepted(ctx),
  );
}

/** Longer than a call to realm can take. */
const HALF_ACCEPTED_AFTER_MS = 60_000;
const MAX_INVITATIONS = 20;
const MAX_ATTEMPTS = 1_000;

/** Completes acceptances of a replica that died before realm answered: realm knows whether there is an account. */
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

interface Acceptance {
  realmId: number;
  invitation: { id: number; email: string; referrerId: number };
  userId: number;
  administratorIds: readonly number[];
}

/** Marks an invitation as used and revokes the other ones for the same address. */
export async function finishAcceptance(
  tx: Transaction,
  { realmId, invitation, userId, administratorIds }: Acceptance,
): Promise<void> {
  await markUsed(tx, realmId, invitation.id, userId);
  const others = await revokeOthersOf(tx, realmId, invitation);
  const otherIds = others.map(({ id }) => id);
  await deleteKeys(tx, realmId, 'invitation', otherIds);
  await deleteMailJobs(tx, realmId, [invitation.id, ...otherIds]);
  const referrerIds = [invitation, ...others].map(({ referrerId }) => referrerId);
  await announce(tx, invitationsChanged(realmId, { receiverIds: [...new Set([...administratorIds, ...referrerIds])] }));
}

/** Revokes an invitation whose sender may no longer give it: another attempt would fail, too. */
export async function endRefused(
  { services }: Pick<Context, 'services'>,
  tx: Transaction,
  realmId: number,
  { id, referrerId }: { id: number; referrerId: number },
): Promise<void> {
  await revokeAccepting(tx, realmId, id);
  await deleteKeys(tx, realmId, 'invitation', [id]);
  await deleteMailJobs(tx, realmId, [id]);
  const { userIds } = await services.realm.listAdministrators(newCall(), { realmId });
  await announce(tx, invitationsChanged(realmId, { receiverIds: [...new Set([...userIds, referrerId])] }));
}
