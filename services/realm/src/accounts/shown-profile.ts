import { Slices } from '@parley/shared/batch';
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

/** In slices: those of thousands have a hundred thousand values. */
export async function renderProfiles(
  rows: readonly ProfileRow[],
  deadlineAt = Number.POSITIVE_INFINITY,
): Promise<UserProfile[]> {
  const slices = new Slices(deadlineAt);
  const profiles: UserProfile[] = [];
  for (const row of rows) {
    if (slices.isUsedUp()) await slices.endSlice();
    profiles.push(renderProfile(row));
  }
  return profiles;
}
