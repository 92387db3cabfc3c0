import type { ProfileField } from '../proto';

/** The API's custom profile field object. */
export function publicProfileField(field: ProfileField) {
  return {
    id: field.id,
    type: field.type,
    order: field.order,
    name: field.name,
    hint: field.hint,
    field_data: field.fieldData,
    required: field.isRequired,
    editable_by_user: field.isEditableByUser,
    // Nothing sets it yet.
    use_for_user_matching: false,
    // Present only when true.
    ...(field.isInSummary && { display_in_profile_summary: true as const }),
  };
}
