import { SYSTEM_GROUP_LABELS, type SystemGroupName } from '@parley/shared/access';
import type { Sql } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import { runPeriodically } from '@parley/shared/jobs';
import {
  findReferences,
  type MarkdownFacts,
  type MarkdownForm,
  prepareRenderer,
  renderMarkdown,
} from '@parley/shared/markdown';
import { escapeHtml, realmSettingsOf, realmUrl } from '@parley/shared/values';
import { customEmojiUrl } from '@parley/shared/wire';
import { nameKey } from '../base/name-key';
import { possibleIds, possibleTexts } from '../base/possible-values';
import type { Context } from '../context';
import {
  listStaleTexts,
  RENDERED_COLUMNS,
  type RenderedColumn,
  type StaleText,
  storeRenderings,
} from '../rendered-texts/stale-texts.sql';
import { parseMention } from './mention-candidates';
import { loadRenderingFacts, type RenderingFactsRow, type RenderingKeys } from './rendering-facts.sql';

/** The author decides which objects a text may mention. Null: those visible to all members. */
export interface Authorship {
  realmId: number;
  authorId: number | null;
}

export type RenderingContext = Pick<Context, 'config' | 'clock'>;

/**
 * Renders an organization's texts as HTML, in order: Markdown as in messages, without link previews. Channel descriptions are one line of
 * inline markup. Throws BadRequestError when rendering takes too long.
 */
export async function renderTexts(
  ctx: RenderingContext,
  sql: Sql,
  { realmId, authorId }: Authorship,
  texts: readonly string[],
  form: MarkdownForm = 'blocks',
): Promise<string[]> {
  if (texts.every((text) => text === '')) return texts.map(() => '');
  await prepareRenderer(texts);
  const row = await loadRenderingFacts(sql, realmId, authorId, keysOf(texts), ctx.clock.now());
  const facts = toFacts(row, ctx.config.EXTERNAL_HOST);
  return texts.map((text) => renderMarkdown(text, facts, form).html);
}

/** The same for one text. */
export async function renderText(
  ctx: RenderingContext,
  sql: Sql,
  authorship: Authorship,
  text: string,
  form?: MarkdownForm,
): Promise<string> {
  const [html] = await renderTexts(ctx, sql, authorship, [text], form);
  return html as string;
}

function keysOf(texts: readonly string[]): RenderingKeys {
  const all = texts.map(findReferences);
  const mentions = all.flatMap(({ userNames }) => userNames).map(parseMention);
  const keys = (names: string[]) => possibleTexts(names).map(nameKey);
  return {
    userIds: possibleIds(mentions.flatMap(({ id }) => id ?? [])),
    userKeys: keys(mentions.flatMap(({ id, name }) => (id === null ? [name] : []))),
    groupKeys: keys(all.flatMap(({ groupNames }) => groupNames)),
    channelKeys: keys(all.flatMap(({ channelNames }) => channelNames)),
    emojiNames: possibleTexts(all.flatMap(({ emojiNames }) => emojiNames)),
  };
}

function toFacts({ realm, ...row }: RenderingFactsRow, externalHost: string): MarkdownFacts {
  return {
    users: [...(row.usersByName ?? []), ...(row.usersById ?? [])],
    groups: (row.groups ?? []).map((group) => ({
      ...group,
      displayName: group.isSystem ? SYSTEM_GROUP_LABELS[group.name as SystemGroupName] : group.name,
    })),
    channels: row.channels ?? [],
    linkifiers: row.linkifiers,
    realmUrl: realmUrl(realm.subdomain, externalHost),
    customEmoji: (row.customEmoji ?? []).map(({ id, name, fileName }) => ({
      id: String(id),
      name,
      sourceUrl: customEmojiUrl(realm.id, fileName),
    })),
    defaultCodeLanguage: realmSettingsOf(realm).default_code_block_language,
  };
}

const EVERY_MS = 5 * 60_000;
const LOCK = 'parley-rendered-texts';
const TEXTS_AT_ONCE = 200;

type StaleTextsContext = Pick<Context, 'db' | 'config' | 'clock'>;

/** Renders stale texts of other releases periodically, on one replica at a time, until the returned function is called. */
export function renderStaleTextsPeriodically(ctx: StaleTextsContext & Pick<Context, 'log'>): () => Promise<void> {
  const lock = { url: ctx.db.url, name: LOCK };
  const task = { everyMs: EVERY_MS, failure: 'descriptions and profiles were not rendered again', lock };
  return runPeriodically(ctx, task, (stopping) => renderStaleTexts(ctx, stopping));
}

/** Not announced: clients get the new HTML with the next list. */
export async function renderStaleTexts(ctx: StaleTextsContext, stopping?: AbortSignal): Promise<void> {
  for (const column of RENDERED_COLUMNS) {
    let found = TEXTS_AT_ONCE;
    let last: StaleText | null = null;
    while (found === TEXTS_AT_ONCE && !stopping?.aborted) {
      const texts: StaleText[] = await listStaleTexts(ctx.db, column, last, TEXTS_AT_ONCE);
      const rendered = [];
      for (const text of texts) rendered.push({ ...text, html: await renderAgain(ctx, column, text) });
      if (texts.length > 0) await storeRenderings(ctx.db, column, rendered);
      found = texts.length;
      last = texts.at(-1) ?? null;
    }
  }
}

/** An accepted text stays readable, even if rendering now takes too long. */
async function renderAgain(ctx: StaleTextsContext, { form }: RenderedColumn, { text, ...authorship }: StaleText) {
  try {
    return await renderText(ctx, ctx.db, authorship, text, form);
  } catch (error) {
    if (!(error instanceof BadRequestError)) throw error;
    return `<p>${escapeHtml(text)}</p>`;
  }
}
