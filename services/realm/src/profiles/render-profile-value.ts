import type { Sql } from '@parley/shared/db';
import type { UserProfile } from '@parley/shared/proto';
import { escapeHtml, isWebUrl } from '@parley/shared/values';
import { type Authorship, type RenderingContext, renderTexts } from '../rendering/render-texts';
import { FIELD_TYPES } from './field-data';
import type { ProfileRow } from './profile-values.sql';

const TEXTS: readonly number[] = [FIELD_TYPES.shortText, FIELD_TYPES.longText];

/** Adds the HTML of values; only text fields are Markdown. */
export async function renderValues<V extends { type: number; value: string }>(
  ctx: RenderingContext,
  sql: Sql,
  authorship: Authorship,
  values: readonly V[],
): Promise<(V & { renderedValue?: string })[]> {
  const texts = values.filter(({ type }) => TEXTS.includes(type));
  const rendered = await renderTexts(
    ctx,
    sql,
    authorship,
    texts.map(({ value }) => value),
  );
  return values.map((value) =>
    TEXTS.includes(value.type) ? { ...value, renderedValue: rendered[texts.indexOf(value)] as string } : value,
  );
}

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
        ...(TEXTS.includes(type) && { renderedValue: rendered ?? `<p>${escapeHtml(value)}</p>` }),
      })),
  };
}
