import { announce, type ConsumedEvent } from '@parley/shared/bus';
import { invitationsChanged, type UserDeactivated } from '@parley/shared/events';
import { newCall } from '@parley/shared/rpc';
import type { Context } from '../context';
import { endInvitations } from './end-invitations';
import { endInviters } from './inviters.sql';

/** Whoever is deactivated invites nobody: what they have sent, and their links, end with their account. */
export async function endInvitationsOfUsers(
  ctx: Context,
  events: readonly ConsumedEvent<UserDeactivated>[],
): Promise<void> {
  const [first] = events;
  if (!first) return;
  const { realmId } = first;
  const { userIds: receiverIds } = await ctx.services.realm.listAdministrators(newCall(first.id), { realmId });
  const userIds = events.map(({ payload }) => payload.userId);
  await ctx.db.transaction(async (tx) => {
    await endInviters(tx, realmId, userIds);
    const isChanged = await endInvitations(tx, realmId, userIds);
    if (isChanged) await announce(tx, invitationsChanged(realmId, { receiverIds }));
  });
}
