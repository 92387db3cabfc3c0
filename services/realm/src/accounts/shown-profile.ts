import type { UserProfile } from '@parley/shared/proto';
import { escapeHtml, isWebUrl } from '@parley/shared/values';
import { FIELD_TYPES } from '../base/field-types';
import type { ProfileRow } from './profiles.sql';

/** Types of fields whose values are Markdown. */
export const MARKDOWN_TYPES: readonly number[] = [FIELD_TYPES.shortText, FIELD_TYPES.longText];

/** Values stored by releases without Markdown are plain text until they are rendered. */
export function renderProfile({ userId, values }: ProfileRow): UserProfile {
  return {
    userId,
    // Links that could run code are never shown.
    values: values
      .filter(({ type, value }) => type !== FIELD_TYPES.link || isWebUrl(value))
      .map(({ fieldId, type, value, rendered }) => ({
        fieldId,
        value,
        ...(MARKDOWN_TYPES.includes(type) && { renderedValue: rendered ?? `<p>${escapeHtml(value)}</p>` }),
      })),
  };
}
