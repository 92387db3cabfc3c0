import type { Transaction } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import type { SetScimRoleRequest, SetScimRoleResponse, User } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { ROLE_VALUES, ROLES } from '@parley/shared/values';
import { findUser } from '../accounts/users.sql';
import type { Deed } from '../audit/chain';
import { recordChange } from '../audit/with-audit';
import { requireOwner } from '../base/guards';
import type { Context } from '../context';
import { followOutsideRole } from '../directory/outside-accounts';
import { groupNameFromInput } from '../groups/group-input';
import { changeOrganization } from '../organization/change-organization';
import { listConcerned, listRoleFacts, type RoleFacts, storeGivenRole } from './roles.sql';

const MAX_ROLES = 100;

/** Lets a group of the identity provider give a role to its members, or not any more; for owners. */
export async function setScimRole(
  ctx: Context,
  caller: Caller,
  request: SetScimRoleRequest,
): Promise<SetScimRoleResponse> {
  const groupName = groupNameFromInput(request.groupName);
  const { role } = request;
  const isRole = role === undefined || (ROLE_VALUES as readonly number[]).includes(role);
  if (!isRole) throw new BadRequestError('Invalid role');
  const { realmId, userId, requestId } = caller;
  return changeOrganization(ctx, caller, requireOwner, async (tx, _actor, prisma) => {
    const count = await prisma.scimRole.count({ where: { realmId } });
    if (role === undefined) await prisma.scimRole.deleteMany({ where: { realmId, groupName } });
    else if (count >= MAX_ROLES) throw new BadRequestError(`Too many roles (limit: ${MAX_ROLES})`);
    else {
      const key = { realmId, groupName };
      await prisma.scimRole.upsert({ where: { realmId_groupName: key }, create: { ...key, role }, update: { role } });
    }
    const deed: Deed = { act: 'give-scim-role', actor: { kind: 'user', id: userId }, requestId };
    await judgeRoles(ctx, tx, realmId, { userIds: await listConcerned(tx, realmId, groupName), deed });
    return {};
  });
}

/**
 * The role that an account's groups demand; null: the present one stays. A role that somebody gave by hand is only raised, and a role
 * that no group gives any more ends.
 */
export function demandedRole({ role, givenRole, mapped }: Omit<RoleFacts, 'userId'>): number | null {
  const isByHand = givenRole === null && role < ROLES.member;
  if (mapped === null) return givenRole !== null && role === givenRole ? ROLES.member : null;
  if (mapped === role || (isByHand && role < mapped)) return null;
  return mapped;
}

/** Gives accounts the roles that their groups demand, but the last owner stays one. The caller has locked the organization's row. */
export async function judgeRoles(
  ctx: Context,
  tx: Transaction,
  realmId: number,
  { userIds, deed }: { userIds: readonly number[]; deed: Deed },
): Promise<void> {
  if (userIds.length === 0) return;
  for (const facts of await listRoleFacts(tx, realmId, userIds)) {
    const role = demandedRole(facts);
    if (role !== null) await giveRole(ctx, tx, realmId, { facts, role, deed });
    else if (facts.mapped === null && facts.givenRole !== null) await storeGivenRole(tx, realmId, facts.userId, null);
  }
}

async function giveRole(
  ctx: Context,
  tx: Transaction,
  realmId: number,
  { facts, role, deed }: { facts: RoleFacts; role: number; deed: Deed },
): Promise<void> {
  const { userId: id, mapped } = facts;
  const user = (await findUser(tx, realmId, id)) as User;
  await recordChange(ctx, tx, { realmId, kind: 'user', id, deed }, async () => {
    const hasRole = await followOutsideRole(tx, user, role, ctx.clock.now());
    if (hasRole) await storeGivenRole(tx, realmId, id, mapped);
    return { id };
  });
}
