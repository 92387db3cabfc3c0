import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { json, pathId, text } from '../../http/parameters';

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
