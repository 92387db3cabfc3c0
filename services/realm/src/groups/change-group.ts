import type { Transaction } from '@parley/shared/db';
import type { GroupSummary } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Actor } from '../actors/actor';
import { loadActor } from '../actors/load-actor';
import type { Context } from '../context';
import { loadRealmGroupSettings, type RealmGroupSettings } from '../group-settings/load-realm-group-settings';
import { requireMember } from '../guards';
import { changeOrganization } from '../realms/change-organization';
import { accessGroup } from './access-group';

/** A group that is about to change, and who changes it. */
export interface GroupChange {
  tx: Transaction;
  nowMs: number;
  actor: Actor;
  /** Who may do what in the organization. */
  realm: RealmGroupSettings;
  group: GroupSummary;
}

/**
 * Changes a group, in one transaction. Such changes of an organization follow one another: two that together would put a group
 * inside itself, or use one that is being deactivated, know of each other. `refuseEmpty` refuses a request that asks for nothing.
 */
export async function changeGroup(
  ctx: Context,
  caller: Caller,
  request: { groupId: number; refuseEmpty?: () => void },
  change: (facts: GroupChange) => Promise<void>,
): Promise<void> {
  const nowMs = ctx.clock.now();
  await changeOrganization(ctx, caller, requireMember, async (tx) => {
    request.refuseEmpty?.();
    const group = await accessGroup(tx, caller.realmId, request.groupId, nowMs);
    const actor = await loadActor(tx, caller, nowMs);
    const realm = await loadRealmGroupSettings(tx, caller.realmId);
    await change({ tx, nowMs, actor, realm, group });
  });
}
