import { announce, type ConsumedEvent } from '@parley/shared/bus';
import { deleteRowsOfRealm, type Transaction } from '@parley/shared/db';
import {
  invitationsChanged,
  type RealmDeactivated,
  type UserDeactivated,
  type UserRoleChanged,
} from '@parley/shared/events';
import type { Purged, PurgeRealmRequest } from '@parley/shared/proto';
import { deleteOldAnswers } from '@parley/shared/request-keys';
import { newCall } from '@parley/shared/rpc';
import { isGuest } from '@parley/shared/values';
import type { Context } from '../context';
import { deleteKeys } from '../keys/keys.sql';
import { deleteMailJobs } from '../mail-jobs/mail-jobs.sql';
import { deleteEndedLinks, deleteEndedInvitations as deleteInvitations, TABLES } from './ended-invitations.sql';
import { type Ending, endInviters, revokeInvitationsOf, revokeLinksOf } from './invitations.sql';
import { dayOf } from './inviter';

/** Revokes all invitations of a deactivated organization. Its event queues have ended, so there is no event. */
export async function endInvitationsOfRealm(
  { db }: Context,
  events: readonly ConsumedEvent<RealmDeactivated>[],
): Promise<void> {
  for (const { realmId } of events) {
    await db.transaction((tx) => endInvitations(tx, { realmId, referrerIds: null, higherThanRole: null }));
  }
}

/** Revokes the invitations and links of deactivated accounts. */
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
    const isChanged = await endInvitations(tx, { realmId, referrerIds: userIds, higherThanRole: null });
    if (isChanged) await announce(tx, invitationsChanged(realmId, { receiverIds }));
  });
}

/**
 * Revokes the invitations and links that give a role which their sender may no longer give. Realm refuses them as well, since some may
 * be accepted, or stored, at the same time.
 */
export async function endInvitationsAboveRoles(
  ctx: Context,
  events: readonly ConsumedEvent<UserRoleChanged>[],
): Promise<void> {
  for (const { id, realmId, payload } of events) {
    const { userId, role } = payload;
    const ending = { realmId, referrerIds: [userId], higherThanRole: isGuest(role) ? null : role };
    await ctx.db.transaction(async (tx) => {
      if (!(await endInvitations(tx, ending))) return;
      const { userIds } = await ctx.services.realm.listAdministrators(newCall(id), { realmId });
      await announce(tx, invitationsChanged(realmId, { receiverIds: [...new Set([...userIds, userId])] }));
    });
  }
}

/** False when there were none. */
async function endInvitations(tx: Transaction, ending: Ending): Promise<boolean> {
  const { realmId } = ending;
  const invitationIds = await revokeInvitationsOf(tx, ending);
  const linkIds = await revokeLinksOf(tx, ending);
  await deleteKeys(tx, realmId, 'invitation', invitationIds);
  await deleteKeys(tx, realmId, 'link', linkIds);
  await deleteMailJobs(tx, realmId, invitationIds);
  return invitationIds.length + linkIds.length > 0;
}

/** Retention period of ended invitations. */
const KEPT_MS = 30 * 24 * 60 * 60_000;
const BATCH_SIZE = 1_000;

/**
 * Deletes a batch of invitations and links that ended a month ago, with their keys and mails, and of expired first answers.
 */
export async function deleteEndedInvitations({
  db,
  prisma,
  clock,
}: Pick<Context, 'db' | 'prisma' | 'clock'>): Promise<Purged> {
  const beforeMs = clock.now() - KEPT_MS;
  await prisma.invitationCount.deleteMany({ where: { day: { lt: dayOf(beforeMs) } } });
  const counts = [
    await deleteInvitations(db, beforeMs, BATCH_SIZE),
    await deleteEndedLinks(db, beforeMs, BATCH_SIZE),
    await deleteOldAnswers({ db, clock }, BATCH_SIZE),
  ];
  const deleted = counts.reduce((sum, count) => sum + count);
  return { deleted, isComplete: deleted === 0 };
}

/** Deletes a batch of rows of an organization that is being purged. */
export function purgeRealm({ db }: Pick<Context, 'db'>, { realmId }: PurgeRealmRequest): Promise<Purged> {
  return deleteRowsOfRealm(db, TABLES, realmId, BATCH_SIZE);
}
