import { GROUP_PERMISSION_SETTINGS } from '@parley/shared/access';
import type { GroupSummary } from '@parley/shared/proto';
import { completeSettings, type SystemGroupIds, settingsOfNobody } from '../group-settings/complete-settings';
import type { GroupRow } from './groups.sql';

/** A group with all of its settings. */
export function toGroup(row: GroupRow, systemGroupIds: SystemGroupIds): GroupSummary {
  const { creatorId, isCreatorActive, settings, ...group } = row;
  const owner = { creatorId: isCreatorActive ? creatorId : null, systemGroupIds };
  return {
    ...group,
    ...(creatorId !== null && { creatorId }),
    settings: group.isSystem
      ? settingsOfNobody(GROUP_PERMISSION_SETTINGS, systemGroupIds)
      : completeSettings(GROUP_PERMISSION_SETTINGS, settings ?? {}, owner),
  };
}

/** All groups of an organization with all of their settings. */
export function toGroups(rows: readonly GroupRow[]): GroupSummary[] {
  const systemGroups = rows.filter(({ isSystem }) => isSystem).map(({ name, id }) => [name, id]);
  const systemGroupIds: SystemGroupIds = Object.fromEntries(systemGroups);
  return rows.map((row) => toGroup(row, systemGroupIds));
}
