import type { UserProfile } from '@parley/shared/proto';
import { renderDescription } from '../channels/render-description';
import { FIELD_TYPES } from '../profile-fields/profile-field-types';
import type { ProfileRow } from './profile-values.sql';

const TEXTS: readonly number[] = [FIELD_TYPES.shortText, FIELD_TYPES.longText];

/** What a profile says in a field of that type as HTML; only texts have any. */
export function renderProfileValue(type: number, value: string): { renderedValue?: string } {
  return TEXTS.includes(type) ? { renderedValue: renderDescription(value) } : {};
}

export function renderProfile({ userId, values }: ProfileRow): UserProfile {
  return {
    userId,
    values: values.map(({ fieldId, type, value }) => ({ fieldId, value, ...renderProfileValue(type, value) })),
  };
}
