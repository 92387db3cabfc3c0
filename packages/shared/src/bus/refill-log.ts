import type { Database } from '../db';
import { BadRequestError } from '../errors';
import { actPerformed, consumedKinds, DEPLOYMENT } from '../events';
import type { RefillLogRequest, RefillLogResponse } from '../proto';
import { announce } from './announce';
import { countForRefill, requestRefill } from './outbox.sql';

/**
 * Has everything that services act on published once more, as after the loss of the log, by whichever replica publishes: what was
 * handled is passed over, what was set aside is tried again. Clients hear nothing of it. For the operator's command; rejects while
 * a refill is going on.
 */
export async function refillLog(
  db: Database,
  { service, requestId }: { service: string; requestId: string },
  { isDry }: RefillLogRequest,
): Promise<RefillLogResponse> {
  const events = await countForRefill(db, consumedKinds);
  if (isDry || events === 0) return { events };
  await db.transaction(async (tx) => {
    if (!(await requestRefill(tx))) throw new BadRequestError(`The log is being refilled by ${service} already.`);
    const subject = { kind: 'deployment', ids: [DEPLOYMENT], after: { service, events } };
    await announce(
      tx,
      actPerformed(DEPLOYMENT, { name: 'refill-log', actor: { kind: 'operator' }, requestId, ...subject }),
    );
  });
  return { events };
}
