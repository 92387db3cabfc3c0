import { BadRequestError } from '@parley/shared/errors';
import { runPeriodically } from '@parley/shared/jobs';
import { escapeHtml } from '@parley/shared/values';
import type { Context } from '../context';
import { renderText } from './render-texts';
import {
  listStaleTexts,
  RENDERED_COLUMNS,
  type RenderedColumn,
  type StaleText,
  storeRenderings,
} from './stale-texts.sql';

const EVERY_MS = 5 * 60_000;
const LOCK = 'parley-rendered-texts';
const TEXTS_AT_ONCE = 200;

type RenderingContext = Pick<Context, 'db' | 'config' | 'clock'>;

/** Renders what another release wrote or rendered, on one replica at a time, until the returned function is called. */
export function keepRenderingStaleTexts(ctx: RenderingContext & Pick<Context, 'log'>): () => Promise<void> {
  const lock = { url: ctx.db.url, name: LOCK };
  const chore = { everyMs: EVERY_MS, failure: 'descriptions and profiles were not rendered again', lock };
  return runPeriodically(ctx, chore, (stopping) => renderStaleTexts(ctx, stopping));
}

/** Nobody is told: clients get the new HTML with the next list. */
export async function renderStaleTexts(ctx: RenderingContext, stopping?: AbortSignal): Promise<void> {
  for (const column of RENDERED_COLUMNS) {
    let found = TEXTS_AT_ONCE;
    while (found === TEXTS_AT_ONCE && !stopping?.aborted) {
      const texts = await listStaleTexts(ctx.db, column, TEXTS_AT_ONCE);
      const rendered = [];
      for (const text of texts) rendered.push({ ...text, html: await renderAgain(ctx, column, text) });
      if (texts.length > 0) await storeRenderings(ctx.db, column, rendered);
      found = texts.length;
    }
  }
}

/** A text that was accepted stays readable, though it can no longer be rendered in time. */
async function renderAgain(ctx: RenderingContext, { form }: RenderedColumn, { text, ...authorship }: StaleText) {
  try {
    return await renderText(ctx, ctx.db, authorship, text, form);
  } catch (error) {
    if (!(error instanceof BadRequestError)) throw error;
    return `<p>${escapeHtml(text)}</p>`;
  }
}
