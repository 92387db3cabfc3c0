import type { Transaction } from '@parley/shared/db';
import type { DefaultChannelGroup, User } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { requireAdministrator } from '../guards';
import { changeOrganization } from '../realms/change-organization';
import { announceDefaultChannelGroups } from './announce-default-channel-groups';
import { listDefaultChannelGroups } from './default-channel-groups.sql';

/** The sets as they are, and who changes them. */
export interface GroupsChange {
  tx: Transaction;
  actor: User;
  groups: readonly DefaultChannelGroup[];
}

/** Changes an organization's sets of channels, for administrators, and announces all of them as they are then. */
export function changeDefaultChannelGroups<Result>(
  ctx: Context,
  caller: Caller,
  change: (facts: GroupsChange) => Promise<Result>,
): Promise<Result> {
  return changeOrganization(ctx, caller, requireAdministrator, async (tx, actor) => {
    const groups = await listDefaultChannelGroups(tx, caller.realmId);
    const result = await change({ tx, actor, groups });
    await announceDefaultChannelGroups(tx, caller.realmId);
    return result;
  });
}
