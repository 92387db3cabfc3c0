import type { Transaction } from '@parley/shared/db';
import { type BadRequestError, InvitationFailedError, NoSuchInvitationError } from '@parley/shared/errors';
import type { InviteFacts, User } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { addToCount, lockInviter, readmitInviter } from './invitations.sql';

/** Realm's facts for managing existing invitations; refuses guests and bots. */
export async function loadFacts({ services }: Context, caller: Caller): Promise<InviteFacts & { actor: User }> {
  const facts = await services.realm.getInviteFacts(caller, { channelIds: [], groupIds: [], emails: [] });
  return { ...facts, actor: facts.actor as User };
}

/**
 * Locks the inviter until the transaction ends, so that endInvitationsOfUsers() finds every invitation. An account that may have been
 * deactivated since realm was asked is looked up again. Throws USER_DEACTIVATED.
 */
export async function holdInviter(ctx: Context, tx: Transaction, caller: Caller): Promise<void> {
  const { realmId, userId } = caller;
  const isEnded = await lockInviter(tx, realmId, userId);
  if (!isEnded) return;
  await loadFacts(ctx, caller);
  await readmitInviter(tx, realmId, userId);
}

type Needed = Pick<Context, 'config' | 'clock'>;

/** Refuses a request that would exceed the daily limit, before the costly checks. */
export async function requireUnderDailyLimit(
  { config, clock, prisma }: Needed & Pick<Context, 'prisma'>,
  realmId: number,
  mails: number,
): Promise<void> {
  const limit = config.INVITATIONS_PER_DAY;
  if (limit === undefined) return;
  const where = { realmId_day: { realmId, day: dayOf(clock.now()) } };
  const counted = await prisma.invitationCount.findUnique({ where, select: { mails: true } });
  if ((counted?.mails ?? 0) + mails > limit) throw limitReached();
}

/** Counts mails in the transaction that orders them; throws when concurrent requests reached the limit first. */
export async function countMails(ctx: Needed, tx: Transaction, realmId: number, mails: number): Promise<void> {
  const count = await addToCount(tx, realmId, dayOf(ctx.clock.now()).toISOString(), mails);
  if (count > (ctx.config.INVITATIONS_PER_DAY ?? Number.POSITIVE_INFINITY)) throw limitReached();
}

/** The start of the UTC day. */
export function dayOf(timeMs: number): Date {
  return new Date(new Date(timeMs).setUTCHours(0, 0, 0, 0));
}

function limitReached(): InvitationFailedError {
  return new InvitationFailedError(
    'To protect users, Parley limits the number of invitations you can send in one day. ' +
      'Because you have reached the limit, no invitations were sent.',
    { isDailyLimitReached: true },
  );
}

/** Same answer for invitations that never existed, belong to another organization, expired, were revoked or used. */
export function noSuchInvitation(): BadRequestError {
  return new NoSuchInvitationError();
}
