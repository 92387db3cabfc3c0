import { Slices } from '@parley/shared/batch';
import { escapeText, selfClosing } from '@parley/shared/markdown';
import type { Call } from '@parley/shared/rpc';
import { escapeHtml } from '@parley/shared/values';
import type { Context } from '../context';
import type { MessageRow } from '../messages/message.sql';
import type { TextSearch } from '../narrows/narrow';
import { findWords } from './matching-words.sql';

/** HTML of a message and of its topic, with the matches highlighted. */
export interface Match {
  matchContent: string;
  matchTopic: string;
}

/** Parts of formulas: their letters are not words. */
const FORMULA_TAGS = new Set(['annotation', 'mi', 'mn', 'mo', 'ms', 'mtext']);

/** Highlighting multiplies the size of short words: beyond this size the rest is returned without it. */
const MAX_MARKED_LENGTH = 4 * 1024 * 1024;

/** A match for each message. Only text is searched, never tags. */
export async function highlightMatches(
  { db }: Pick<Context, 'db'>,
  { deadlineAt }: Call,
  rows: readonly MessageRow[],
  search: TextSearch,
): Promise<Match[]> {
  const slices = new Slices(deadlineAt);
  const texts = new Set<string>();
  for (const { renderedContent, topic } of rows) {
    await slices.pause();
    for (const text of [escapeHtml(topic), ...textsIn(renderedContent)]) texts.add(text);
  }
  const words = await findWords(db, [...texts], search.words);
  let left = MAX_MARKED_LENGTH;
  const highlight = (text: string, phrases: string[]) => {
    if (left <= 0) return text;
    const marked = mark(text, [...(words.get(text) ?? []), ...phrases.flatMap((phrase) => findPhrases(text, phrase))]);
    left -= marked.length;
    return marked;
  };
  const inContent = search.phrases.map(escapeText);
  const inTopic = search.phrases.map(escapeHtml);
  const matches: Match[] = [];
  for (const { renderedContent, topic } of rows) {
    await slices.pause();
    matches.push({
      matchContent: mapTextBetweenTags(renderedContent, (text, tag) =>
        FORMULA_TAGS.has(tag) ? text : highlight(text, inContent),
      ),
      matchTopic: highlight(escapeHtml(topic), inTopic),
    });
  }
  return matches;
}

function textsIn(html: string): string[] {
  const texts: string[] = [];
  mapTextBetweenTags(html, (text, tag) => {
    if (!FORMULA_TAGS.has(tag)) texts.push(text);
    return text;
  });
  return texts;
}

/** The positions of a phrase in a text, in any casing. */
function findPhrases(text: string, phrase: string): Span[] {
  const spans: Span[] = [];
  const sought = new RegExp(phrase.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'giu');
  for (const { index, 0: found } of text.matchAll(sought)) spans.push({ from: index, to: index + found.length });
  return spans;
}

/** Half-open, in UTF-16 units. */
export interface Span {
  from: number;
  to: number;
}

/** The text with the spans highlighted; adjacent spans are merged. */
function mark(text: string, spans: readonly Span[]): string {
  let marked = '';
  let end = 0;
  for (const { from, to } of joined(spans)) {
    marked += `${text.slice(end, from)}<span class="highlight">${text.slice(from, to)}</span>`;
    end = to;
  }
  return marked + text.slice(end);
}

function joined(spans: readonly Span[]): Span[] {
  const result: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last && span.from < last.to) last.to = Math.max(last.to, span.to);
    else result.push({ ...span });
  }
  return result;
}

/** A tag, whose attributes may contain anything between quotes, or the text up to the next tag. */
const PIECES = /<(\/?)([a-z0-9]+)(?:[^"'>]|"[^"]*"|'[^']*')*>|[^<]+|</gi;
const VOID_TAGS: ReadonlySet<string> = new Set(selfClosing);

/** Rewrites the text between the tags of stored, well-formed HTML. */
export function mapTextBetweenTags(html: string, transform: (text: string, tagName: string) => string): string {
  const open: string[] = [];
  return html.replace(PIECES, (piece, slash?: string, tagName?: string) => {
    if (tagName === undefined) return transform(piece, open.at(-1) ?? '');
    if (slash) open.pop();
    else if (!VOID_TAGS.has(tagName)) open.push(tagName);
    return piece;
  });
}
