import { type Consumption, consume } from '@parley/shared/bus';
import { realmDeactivated, userDeactivated, userRoleChanged } from '@parley/shared/events';
import type { Context } from './context';
import { endInvitationsAboveRoles, endInvitationsOfRealm, endInvitationsOfUsers } from './invitations/end-invitations';

/** Subscribes each domain event to its action, until the returned function is called. */
export function listen(ctx: Context): () => Promise<void> {
  const { bus, db, log } = ctx;
  const common = { bus, db, log, service: 'invites' };
  const consumptions: Consumption[] = [
    consume({ ...common, event: userDeactivated, handle: (events) => endInvitationsOfUsers(ctx, events) }),
    consume({ ...common, event: userRoleChanged, handle: (events) => endInvitationsAboveRoles(ctx, events) }),
    consume({ ...common, event: realmDeactivated, handle: (events) => endInvitationsOfRealm(ctx, events) }),
  ];
  return async () => {
    await Promise.all(consumptions.map((consumption) => consumption.stop()));
  };
}
