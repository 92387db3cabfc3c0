import { GROUP_PERMISSION_SETTINGS, type GroupPermissionName } from '@parley/shared/access';
import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { BadRequestError, InsufficientPermissionError } from '@parley/shared/errors';
import { type DomainEvent, groupReactivated, groupUpdated } from '@parley/shared/events';
import type { GroupSummary, UpdateGroupRequest, UpdateGroupResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { changeGroupSettings } from '../group-settings/change-group-settings';
import type { GroupSettings } from '../group-settings/complete-settings';
import { nameKey } from '../name-key';
import { accessGroup } from './access-group';
import { changeGroup } from './change-group';
import { groupDescriptionFromInput } from './group-description';
import { updateGroupRow } from './groups.sql';
import { newNameFromInput } from './new-name-from-input';
import { mayManageGroup } from './permissions';
import { setSettingsOfGroup } from './set-settings-of-group';

/** Changes a group's name, description or settings, or puts it in use again. */
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
  // SPEC-GAP: deactivation has an endpoint of its own, which knows how to refuse; the text is our own.
  if (isDeactivated === true) throw new BadRequestError('Invalid deactivated');
}

/** What is different from now. */
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
