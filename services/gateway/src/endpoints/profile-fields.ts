import { publicProfileField } from '@parley/shared/wire';
import { z } from 'zod';
import { endpoint } from '../http/endpoint';
import { json, pathId, text } from '../http/parameters';
import { profileFieldSchema } from '../wire/organization';

export const listProfileFields = endpoint({
  method: 'GET',
  path: '/realm/profile_fields',
  summary: 'Get the custom fields of profiles',
  auth: 'user',
  parameters: {},
  result: z.strictObject({ custom_fields: z.array(profileFieldSchema).describe('In their order.') }),
  errors: [],
  async handler({ services }, { call }) {
    const { fields } = await services.realm.listProfileFields(call, {});
    return { custom_fields: fields.map(publicProfileField) };
  },
});

export const createProfileField = endpoint({
  method: 'POST',
  path: '/realm/profile_fields',
  summary: 'Add a custom field to profiles',
  auth: 'user',
  parameters: {
    name: text(z.string().default('')),
    hint: text(z.string().default('')),
    field_type: json(z.int()),
    field_data: json(z.record(z.string(), z.unknown()).default({})),
    display_in_profile_summary: json(z.boolean().default(false)),
    required: json(z.boolean().default(false)),
    editable_by_user: json(z.boolean().default(true)),
  },
  result: z.strictObject({ id: z.int() }),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, values) {
    return await services.realm.createProfileField(call, {
      type: values.field_type,
      name: values.name,
      hint: values.hint,
      fieldData: JSON.stringify(values.field_data),
      isInSummary: values.display_in_profile_summary,
      isRequired: values.required,
      isEditableByUser: values.editable_by_user,
    });
  },
});

const optionalFlag = json(z.boolean().optional());

export const updateProfileField = endpoint({
  method: 'PATCH',
  path: '/realm/profile_fields/{field_id}',
  summary: 'Change a custom field of profiles',
  auth: 'user',
  parameters: {
    field_id: pathId(),
    name: text(z.string().optional()),
    hint: text(z.string().optional()),
    field_data: json(z.record(z.string(), z.unknown()).optional()),
    required: optionalFlag,
    display_in_profile_summary: optionalFlag,
    editable_by_user: optionalFlag,
  },
  result: z.strictObject({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, values) {
    const { name, hint, field_data: data, required: isRequired } = values;
    const { display_in_profile_summary: isInSummary, editable_by_user: isEditableByUser } = values;
    await services.realm.updateProfileField(call, {
      id: values.field_id,
      ...(name !== undefined && { name }),
      ...(hint !== undefined && { hint }),
      ...(data !== undefined && { fieldData: JSON.stringify(data) }),
      ...(isRequired !== undefined && { isRequired }),
      ...(isInSummary !== undefined && { isInSummary }),
      ...(isEditableByUser !== undefined && { isEditableByUser }),
    });
    return {};
  },
});

export const removeProfileField = endpoint({
  method: 'DELETE',
  path: '/realm/profile_fields/{field_id}',
  summary: "Remove a custom field, and everybody's value of it",
  auth: 'user',
  parameters: { field_id: pathId() },
  result: z.strictObject({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, { field_id: id }) {
    await services.realm.removeProfileField(call, { id });
    return {};
  },
});

export const reorderProfileFields = endpoint({
  method: 'PATCH',
  path: '/realm/profile_fields',
  summary: 'Put the custom fields of profiles into another order',
  auth: 'user',
  parameters: { order: json(z.array(z.int()).describe('Every field.')) },
  result: z.strictObject({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, { order: orderedIds }) {
    await services.realm.reorderProfileFields(call, { orderedIds });
    return {};
  },
});

const profileValueSchema = z.object({
  id: z.int().describe('Of the field.'),
  value: z.union([z.string(), z.array(z.int())]).describe('Ids of users where the field holds people.'),
});

export const setProfileValues = endpoint({
  method: 'PATCH',
  path: '/users/me/profile_data',
  summary: "Set what the caller's profile says in custom fields",
  auth: 'user',
  parameters: { data: json(z.array(profileValueSchema)) },
  result: z.strictObject({}),
  errors: [],
  async handler({ services }, { call }, { data }) {
    const values = data.map(({ id: fieldId, value }) =>
      typeof value === 'string' ? { fieldId, text: value, userIds: null } : { fieldId, userIds: { ids: value } },
    );
    await services.realm.setProfileValues(call, { values });
    return {};
  },
});

export const removeProfileValues = endpoint({
  method: 'DELETE',
  path: '/users/me/profile_data',
  summary: "Remove what the caller's profile says in custom fields",
  auth: 'user',
  parameters: { data: json(z.array(z.int()).describe('Ids of fields.')) },
  result: z.strictObject({}),
  errors: [],
  async handler({ services }, { call }, { data: fieldIds }) {
    await services.realm.removeProfileValues(call, { fieldIds });
    return {};
  },
});
