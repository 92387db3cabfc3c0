import type { GroupSetting, GroupSettingChange } from '@parley/shared/proto';
import { z } from 'zod';

/** A user group by id, or an unnamed one by what it holds. */
export const groupSettingSchema = z.union([
  z.int(),
  z.object({ direct_members: z.array(z.int()), direct_subgroups: z.array(z.int()) }),
]);

/** An update of such a value; `old` is what the client takes for the present one. */
export const groupSettingChangeSchema = z.object({ new: groupSettingSchema, old: groupSettingSchema.optional() });

export type PublicGroupSetting = z.infer<typeof groupSettingSchema>;

export function toGroupSetting(value: PublicGroupSetting): GroupSetting {
  if (typeof value === 'number') return { groupId: value, directMemberIds: [], directSubgroupIds: [] };
  return { directMemberIds: value.direct_members, directSubgroupIds: value.direct_subgroups };
}

export function toGroupSettingChange({
  new: value,
  old,
}: z.infer<typeof groupSettingChangeSchema>): GroupSettingChange {
  return { new: toGroupSetting(value), old: old === undefined ? null : toGroupSetting(old) };
}
