import type { ProfileValue } from '../proto';

/** A user object's `profile_data`: values by field. */
export function publicProfileData(values: readonly ProfileValue[]) {
  return Object.fromEntries(values.map((value) => [String(value.fieldId), publicProfileValue(value)]));
}

function publicProfileValue({ value, renderedValue }: ProfileValue) {
  return renderedValue === undefined ? { value } : { value, rendered_value: renderedValue };
}
