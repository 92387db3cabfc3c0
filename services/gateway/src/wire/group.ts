import type { GroupSummary } from '@parley/shared/proto';
import { z } from 'zod';

const systemGroupSettings = {
  can_add_members_group: z.int(),
  can_join_group: z.int(),
  can_leave_group: z.int(),
  can_manage_group: z.int(),
  can_mention_group: z.int(),
  can_remove_members_group: z.int(),
};

export const groupSchema = z.strictObject({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  members: z.array(z.int()),
  direct_subgroup_ids: z.array(z.int()),
  is_system_group: z.boolean(),
  date_created: z.int().nullable(),
  creator_id: z.int().nullable(),
  deactivated: z.boolean(),
  ...z.strictObject(systemGroupSettings).partial().shape,
});

export type PublicGroup = z.infer<typeof groupSchema>;

/** A user group. What may be done with a system group may be done by `nobodyId`, the group without members. */
export function publicGroup(group: GroupSummary, nobodyId: number | undefined): PublicGroup {
  const isLocked = group.isSystem && nobodyId !== undefined;
  return {
    id: group.id,
    name: group.name,
    description: group.description,
    members: group.memberIds,
    direct_subgroup_ids: group.directSubgroupIds,
    is_system_group: group.isSystem,
    date_created: null,
    creator_id: null,
    deactivated: false,
    ...(isLocked && Object.fromEntries(Object.keys(systemGroupSettings).map((name) => [name, nobodyId]))),
  };
}
