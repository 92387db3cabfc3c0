import type { ConsumedEvent } from '@parley/shared/bus';
import type { InvitationsChanged } from '@parley/shared/events';
import type { Context } from '../context';
import { appendEntries } from './append-entries';
import { holdHead, isRecorded } from './audit.sql';
import { BEGINNING } from './chain';

/** Records what was done with invitations, which the invites service announces; each act once, however often it is heard of. */
export async function recordInvitationActs(
  ctx: Context,
  events: readonly ConsumedEvent<InvitationsChanged>[],
): Promise<void> {
  for (const { id: event, realmId, payload } of events) {
    if (!payload.act) continue;
    const { name, actorId, requestId, address, kind, ids, after } = payload.act;
    await ctx.db.transaction(async (tx) => {
      await holdHead(tx, realmId, BEGINNING);
      if (await isRecorded(tx, realmId, event)) return;
      const origin = address === undefined ? {} : { address };
      const deed = { act: name, actor: { kind: 'user' as const, id: actorId }, requestId, ...origin, event };
      const effects = ids.map((id) => ({ subject: { kind, id }, ...(after && { after }) }));
      await appendEntries(ctx, tx, realmId, deed, effects);
    });
  }
}
