import type { NewProfileValue, UpdateUserRequest } from '@parley/shared/proto';
import { ROLE_VALUES } from '@parley/shared/values';
import { z } from 'zod';
import type { Values } from '../../http/endpoint';
import { json, text } from '../../http/parameters';

const valueSchema = z.object({
  id: z.int().describe('Of the field.'),
  value: z
    .union([z.string(), z.array(z.int()), z.null()])
    .describe('Ids of users where the field holds people; nothing at all removes what the profile says.'),
});

const isRole = (role: number) => (ROLE_VALUES as readonly number[]).includes(role);

/** What administrators change of a user. */
export const userChangeParameters = {
  full_name: text(z.string().optional()),
  role: json(z.int().refine(isRole, 'Value error, Not in the list of possible values').optional()),
  profile_data: json(z.array(valueSchema).optional()),
  new_email: text(z.string().optional()),
};

/** What a request wants changed. */
export function sentChanges(values: Values<typeof userChangeParameters>): Omit<UpdateUserRequest, 'user'> {
  return {
    ...(values.full_name !== undefined && { fullName: values.full_name }),
    ...(values.role !== undefined && { role: values.role }),
    profileValues: (values.profile_data ?? []).map(sentValue),
    ...(values.new_email !== undefined && { newEmail: values.new_email }),
  };
}

function sentValue({ id: fieldId, value }: z.infer<typeof valueSchema>): NewProfileValue {
  if (value === null) return { fieldId, userIds: null };
  return typeof value === 'string' ? { fieldId, text: value, userIds: null } : { fieldId, userIds: { ids: value } };
}
