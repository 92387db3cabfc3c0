import type { IsGroupMemberRequest, IsGroupMemberResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { loadActor } from '../actors/load-actor';
import { isInGroup } from '../actors/permissions';
import type { Context } from '../context';
import { requireMember } from '../guards';
import { accessActivePerson } from '../users/access-active-person';
import { accessGroup } from './access-group';

/** Whether a person is in a group; unless told otherwise, in groups inside it counts, too. */
export async function isGroupMember(
  ctx: Context,
  caller: Caller,
  { groupId, userId, isDirectOnly }: IsGroupMemberRequest,
): Promise<IsGroupMemberResponse> {
  const { realmId } = caller;
  const nowMs = ctx.clock.now();
  requireMember((await loadActor(ctx.db, caller, nowMs)).user);
  const group = await accessGroup(ctx.db, realmId, groupId, nowMs);
  const person = await accessActivePerson(ctx, caller, userId);
  if (isDirectOnly) return { isMember: group.memberIds.includes(person.id) };
  return { isMember: isInGroup(await loadActor(ctx.db, { realmId, userId }, nowMs), group.id) };
}
