import type { Sql, Transaction } from '@parley/shared/db';
import { InvitationFailedError } from '@parley/shared/errors';
import type { Context } from '../context';
import { addToCount, findCount } from './invitation-count.sql';

type Needed = Pick<Context, 'config' | 'clock'>;

/** Refuses what would be too many mails for today, before anything else is looked at. */
export async function requireUnderDailyLimit(ctx: Needed, sql: Sql, realmId: number, mails: number): Promise<void> {
  const limit = ctx.config.INVITATIONS_PER_DAY;
  if (limit !== undefined && (await findCount(sql, realmId, today(ctx))) + mails > limit) throw limitReached();
}

/** Counts mails in the transaction that orders them; refuses them when others were faster. */
export async function countMails(ctx: Needed, tx: Transaction, realmId: number, mails: number): Promise<void> {
  const count = await addToCount(tx, realmId, today(ctx), mails);
  if (count > (ctx.config.INVITATIONS_PER_DAY ?? Number.POSITIVE_INFINITY)) throw limitReached();
}

/** Of UTC. */
function today({ clock }: Needed): string {
  return new Date(clock.now()).toISOString().slice(0, 'YYYY-MM-DD'.length);
}

function limitReached(): InvitationFailedError {
  return new InvitationFailedError(
    'To protect users, Parley limits the number of invitations you can send in one day. ' +
      'Because you have reached the limit, no invitations were sent.',
    { isDailyLimitReached: true },
  );
}
