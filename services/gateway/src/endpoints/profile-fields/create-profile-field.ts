import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { json, text } from '../../http/parameters';

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
