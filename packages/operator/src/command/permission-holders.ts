import type { GroupSettingChange } from '@parley/shared/proto';
import type { Caller, RpcClient } from '@parley/shared/rpc';
import { operatedIds } from './operated';
import { list } from './options';

/** The holders of a permission; both options may be given together. */
export const holders = { groups: list('GROUP,GROUP').optional(), users: list('EMAIL,EMAIL').optional() };

interface Holders {
  groups?: readonly string[] | undefined;
  users?: readonly string[] | undefined;
}

/** Whether any holder was given. */
export function areHoldersNamed({ groups, users }: Holders): boolean {
  return groups !== undefined || users !== undefined;
}

/** The value of a permission: these groups, by name, and these accounts. Throws if one does not exist. */
export async function permissionFor(
  service: RpcClient<'realm'>,
  actor: Caller,
  { realm, groups = [], users = [] }: Holders & { realm: string },
): Promise<GroupSettingChange> {
  const directSubgroupIds = await groupIds(service, actor, groups);
  const [groupId] = directSubgroupIds;
  // Some permissions can be granted to one system group only.
  if (groupId !== undefined && directSubgroupIds.length === 1 && users.length === 0)
    return { new: { groupId, directMemberIds: [], directSubgroupIds: [] }, old: null };
  const directMemberIds = await operatedIds(service, realm, users);
  return { new: { directMemberIds, directSubgroupIds }, old: null };
}

async function groupIds(service: RpcClient<'realm'>, actor: Caller, names: readonly string[]): Promise<number[]> {
  if (names.length === 0) return [];
  const known = await service.listGroups(actor, { includesDeactivated: false });
  const idsByName = new Map(known.groups.map(({ id, name }) => [name, id]));
  return names.map((name) => {
    const id = idsByName.get(name);
    if (id !== undefined) return id;
    throw new Error(`there is no group "${name}"; there are: ${[...idsByName.keys()].slice(0, 20).join(', ')}`);
  });
}
