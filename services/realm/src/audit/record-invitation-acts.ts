import type { ConsumedEvent } from '@parley/shared/bus';
import type { InvitationsChanged } from '@parley/shared/events';
import type { Context } from '../context';
import { recordActs } from './record-acts';

/** Records what was done with invitations, which the invites service tells together with what has become of the list. */
export async function recordInvitationActs(
  ctx: Context,
  events: readonly ConsumedEvent<InvitationsChanged>[],
): Promise<void> {
  await recordActs(
    ctx,
    events.flatMap(({ id, realmId, payload: { act } }) => {
      if (!act) return [];
      const { actorId, ...rest } = act;
      return [{ id, realmId, payload: { ...rest, actor: { kind: 'user' as const, id: actorId } } }];
    }),
  );
}
