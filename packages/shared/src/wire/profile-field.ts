import type { ProfileField } from '../proto';
import { isWebUrl, USERNAME_PLACEHOLDER } from '../values';

/** The type of fields for accounts elsewhere. */
const EXTERNAL_ACCOUNT = 7;

/** The API's custom profile field object. */
export function publicProfileField(field: ProfileField) {
  return {
    id: field.id,
    type: field.type,
    order: field.order,
    name: field.name,
    hint: field.hint,
    field_data: safeFieldData(field),
    required: field.isRequired,
    editable_by_user: field.isEditableByUser,
    // Nothing sets it yet.
    use_for_user_matching: false,
    // Present only when true.
    ...(field.isInSummary && { display_in_profile_summary: true as const }),
  };
}

/** Of a field for accounts elsewhere: the pattern of their addresses, if it is one of the web. */
function safeFieldData({ type, fieldData }: ProfileField): string {
  if (type !== EXTERNAL_ACCOUNT || !fieldData.includes('"url_pattern"')) return fieldData;
  const data = JSON.parse(fieldData) as { url_pattern?: unknown };
  const example = String(data.url_pattern).replace(USERNAME_PLACEHOLDER, 'username');
  return isWebUrl(example) ? fieldData : JSON.stringify({ ...data, url_pattern: '' });
}
