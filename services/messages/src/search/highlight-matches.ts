import { Slices } from '@parley/shared/batch';
import { escapeText } from '@parley/shared/markdown';
import type { Call } from '@parley/shared/rpc';
import { escapeHtml } from '@parley/shared/values';
import type { Context } from '../context';
import type { MessageRow } from '../messages/message.sql';
import type { TextSearch } from '../narrows/narrow';
import { findPhrases } from './find-phrases';
import { mark } from './mark';
import { findWords } from './matching-words.sql';
import { mapTextBetweenTags } from './text-between-tags';

/** HTML of a message and of its topic, with what was sought highlighted. */
export interface Match {
  matchContent: string;
  matchTopic: string;
}

/** What formulas are made of: letters there are no words. */
const FORMULA_TAGS = new Set(['annotation', 'mi', 'mn', 'mo', 'ms', 'mtext']);

/** A mark is many times as long as a short word: what comes after that much is answered without marks. */
const MAX_MARKED_LENGTH = 4 * 1024 * 1024;

/** A match for each message. Only text is looked at, never what stands in tags. */
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
