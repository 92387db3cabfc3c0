import { GROUP_PERMISSION_SETTINGS, type GroupPermissionName } from '@parley/shared/access';
import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import {
  BadRequestError,
  CannotDeactivateGroupInUseError,
  InsufficientPermissionError,
  NothingToDoError,
} from '@parley/shared/errors';
import { type DomainEvent, groupDeactivated, groupReactivated, groupUpdated } from '@parley/shared/events';
import type {
  DeactivateGroupRequest,
  DeactivateGroupResponse,
  GroupSummary,
  UpdateGroupRequest,
  UpdateGroupResponse,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { type Actor, loadActor } from '../actors/actor';
import { requireMember } from '../base/guards';
import { nameKey } from '../base/name-key';
import type { Context } from '../context';
import { changeGroupSettings } from '../group-settings/change-group-settings';
import {
  type GroupSettings,
  loadRealmGroupSettings,
  type RealmGroupSettings,
} from '../group-settings/complete-settings';
import { type GroupUse, listGroupUses } from '../membership/group-members.sql';
import { changeOrganization } from '../organization/change-organization';
import { setSettingsOfGroup } from './create-group';
import { groupDescriptionFromInput, newNameFromInput } from './group-input';
import { lockGroup, updateGroupRow } from './groups.sql';
import { accessGroup } from './list-groups';
import { mayManageGroup } from './permissions';

/** Changes a group's name, description or settings, or reactivates it. */
export async function updateGroup(
  ctx: Context,
  caller: Caller,
  request: UpdateGroupRequest,
): Promise<UpdateGroupResponse> {
  const { realmId } = caller;
  const checked = { groupId: request.groupId, refuseEmpty: () => requireData(request) };
  await changeGroup(ctx, caller, checked, async ({ tx, nowMs, actor, realm, group }) => {
    if (!mayManageGroup(actor, group, realm)) throw new InsufficientPermissionError();
    const changed = await findChanges(tx, realmId, group, request);
    await store(tx, realmId, group.id, changed, nowMs);
    const after = await accessGroup(tx, realmId, group.id, nowMs);
    await announce(tx, ...eventsOf(realmId, after, changed));
  });
  return {};
}

function requireData({ name, description, settings, isDeactivated }: UpdateGroupRequest): void {
  const isNothingSent = name === undefined && description === undefined && isDeactivated === undefined;
  if (isNothingSent && Object.keys(settings).length === 0) throw new BadRequestError('No new data supplied');
  // SPEC-GAP: deactivation has its own endpoint with its own checks; the text is our own.
  if (isDeactivated === true) throw new BadRequestError('Invalid deactivated');
}

/** The differences from the current state. */
interface Changed {
  name?: string;
  description?: string;
  isDeactivated?: boolean;
  settings: Partial<GroupSettings<GroupPermissionName>>;
}

async function findChanges(
  tx: Transaction,
  realmId: number,
  group: GroupSummary,
  request: UpdateGroupRequest,
): Promise<Changed> {
  const changed: Changed = { settings: {} };
  if (request.name !== undefined && request.name.trim() !== group.name) {
    changed.name = await newNameFromInput(tx, realmId, request.name);
  }
  const description = groupDescriptionFromInput(request.description ?? group.description);
  if (description !== group.description) changed.description = description;
  if (request.isDeactivated === false && group.isDeactivated) changed.isDeactivated = false;
  const present = group.settings as GroupSettings<GroupPermissionName>;
  changed.settings = await changeGroupSettings(tx, realmId, GROUP_PERMISSION_SETTINGS, present, request.settings);
  return changed;
}

async function store(
  tx: Transaction,
  realmId: number,
  groupId: number,
  changed: Changed,
  nowMs: number,
): Promise<void> {
  const { settings, ...row } = changed;
  const key = row.name === undefined ? {} : { nameKey: nameKey(row.name) };
  if (Object.keys(row).length > 0) await updateGroupRow(tx, realmId, groupId, { ...row, ...key });
  await setSettingsOfGroup(tx, realmId, groupId, settings, nowMs);
}

function eventsOf(realmId: number, group: GroupSummary, { name, description, isDeactivated, settings }: Changed) {
  const data = { ...(name !== undefined && { name }), ...(description !== undefined && { description }) };
  const isUpdated = Object.keys({ ...data, ...settings }).length > 0;
  const about = { groupId: group.id, isDeactivated: group.isDeactivated };
  const events: DomainEvent[] = isDeactivated === false ? [groupReactivated(realmId, { group })] : [];
  if (isUpdated) events.push(groupUpdated(realmId, { ...about, ...data, settings }));
  return events;
}

/** A group about to change, and the actor. */
interface GroupChange {
  tx: Transaction;
  nowMs: number;
  actor: Actor;
  /** The organization's permissions. */
  realm: RealmGroupSettings;
  group: GroupSummary;
}

/**
 * Changes a group in one transaction. Such changes of an organization are serialized, so that concurrent ones cannot create a cycle, or
 * use a group in deactivation. `refuseEmpty` refuses a request without changes.
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

/** Deactivates a group, unless it is in use. It keeps its name and members. */
export async function deactivateGroup(
  ctx: Context,
  caller: Caller,
  { groupId }: DeactivateGroupRequest,
): Promise<DeactivateGroupResponse> {
  const { realmId } = caller;
  await changeGroup(ctx, caller, { groupId }, async ({ tx, actor, realm, group }) => {
    if (!mayManageGroup(actor, group, realm)) throw new InsufficientPermissionError();
    if (group.isDeactivated) throw new NothingToDoError(REFUSAL.groups.deactivated);
    // NOTE: the row is locked before the uses are read: transactions that grant a right to the group lock it, too.
    await lockGroup(tx, realmId, groupId);
    const uses = await listGroupUses(tx, realmId, groupId);
    if (uses.length > 0) throw new CannotDeactivateGroupInUseError(uses.map(toObjection));
    await updateGroupRow(tx, realmId, groupId, { isDeactivated: true });
    await announce(tx, groupDeactivated(realmId, { groupId }));
  });
  return {};
}

function toObjection(use: GroupUse): Record<string, unknown> {
  if (use.type === 'subgroup') return { type: use.type, supergroup_ids: use.groupIds };
  if (use.type === 'realm') return { type: use.type, settings: use.settings };
  const owner = use.type === 'channel' ? { channel_id: use.id } : { group_id: use.id };
  return { type: use.type, ...owner, settings: use.settings };
}
