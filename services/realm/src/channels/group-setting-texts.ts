import type { Sql } from '@parley/shared/db';
import { silentGroupMention, silentMention } from '@parley/shared/notice-text';
import type { GroupSetting } from '@parley/shared/proto';
import { listGroupNames } from '../group-settings/group-settings.sql';
import { findUsersByIds } from '../users/users.sql';

/** To whom each of the values gives a right, as notices say it. */
export async function loadGroupSettingTexts(
  sql: Sql,
  realmId: number,
  values: readonly GroupSetting[],
): Promise<string[]> {
  const groupIds = values.flatMap(({ groupId, directSubgroupIds }) => [groupId ?? [], directSubgroupIds].flat());
  const userIds = values.flatMap(({ directMemberIds }) => directMemberIds);
  const groups = await listGroupNames(sql, realmId, groupIds);
  const users = userIds.length === 0 ? [] : await findUsersByIds(sql, realmId, userIds);
  return values.map(({ groupId, directMemberIds, directSubgroupIds }) => {
    const ids = new Set([groupId ?? [], directSubgroupIds].flat());
    const memberIds = new Set(directMemberIds);
    const names = [
      ...groups.filter(({ id }) => ids.has(id)).map(({ name }) => silentGroupMention(name)),
      ...users.filter(({ id }) => memberIds.has(id)).map(silentMention),
    ];
    return names.join(', ');
  });
}
