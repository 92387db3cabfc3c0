import type { ConsumedEvent } from '@parley/shared/bus';
import type { RealmDeactivated } from '@parley/shared/events';
import type { Context } from '../context';
import { endInvitations } from './end-invitations';

/** Nobody joins an organization that is closed, nor by an old invitation one that is opened again. Its queues have ended: nobody is told. */
export async function endInvitationsOfRealm(
  { db }: Context,
  events: readonly ConsumedEvent<RealmDeactivated>[],
): Promise<void> {
  for (const { realmId } of events) await db.transaction((tx) => endInvitations(tx, realmId, null));
}
