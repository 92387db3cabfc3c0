export interface GroupLink {
  groupId: number;
  subgroupId: number;
}

/** The subgroups of any of the groups, at any depth; without the groups themselves, except those that are subgroups. */
export function groupsInside(links: readonly GroupLink[], groupIds: readonly number[]): Set<number> {
  const inside = new Set<number>();
  const next = [...groupIds];
  for (let groupId = next.pop(); groupId !== undefined; groupId = next.pop()) {
    for (const link of links) {
      if (link.groupId !== groupId || inside.has(link.subgroupId)) continue;
      inside.add(link.subgroupId);
      next.push(link.subgroupId);
    }
  }
  return inside;
}
