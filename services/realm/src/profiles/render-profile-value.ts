import type { Sql } from '@parley/shared/db';
import { MARKDOWN_TYPES } from '../accounts/shown-profile';
import { type Authorship, type RenderingContext, renderTexts } from '../rendering/render-texts';

/** Adds the HTML of values; only text fields are Markdown. */
export async function renderValues<V extends { type: number; value: string }>(
  ctx: RenderingContext,
  sql: Sql,
  authorship: Authorship,
  values: readonly V[],
): Promise<(V & { renderedValue?: string })[]> {
  const texts = values.filter(({ type }) => MARKDOWN_TYPES.includes(type));
  const rendered = await renderTexts(
    ctx,
    sql,
    authorship,
    texts.map(({ value }) => value),
  );
  return values.map((value) =>
    MARKDOWN_TYPES.includes(value.type) ? { ...value, renderedValue: rendered[texts.indexOf(value)] as string } : value,
  );
}
