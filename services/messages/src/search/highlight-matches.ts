import type { Sql } from '@parley/shared/db';
import { escapeText } from '@parley/shared/markdown';
import { escapeHtml } from '@parley/shared/values';
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

/** A match for each message. Only text is looked at, never what stands in tags. */
export async function highlightMatches(sql: Sql, rows: readonly MessageRow[], search: TextSearch): Promise<Match[]> {
  const texts = new Set(rows.flatMap(({ renderedContent, topic }) => [escapeHtml(topic), ...textsIn(renderedContent)]));
  const words = await findWords(sql, [...texts], search.words);
  const highlight = (text: string, phrases: string[]) =>
    mark(text, [...(words.get(text) ?? []), ...phrases.flatMap((phrase) => findPhrases(text, phrase))]);
  const inContent = search.phrases.map(escapeText);
  const inTopic = search.phrases.map(escapeHtml);
  return rows.map(({ renderedContent, topic }) => ({
    matchContent: mapTextBetweenTags(renderedContent, (text, tag) =>
      FORMULA_TAGS.has(tag) ? text : highlight(text, inContent),
    ),
    matchTopic: highlight(escapeHtml(topic), inTopic),
  }));
}

function textsIn(html: string): string[] {
  const texts: string[] = [];
  mapTextBetweenTags(html, (text, tag) => {
    if (!FORMULA_TAGS.has(tag)) texts.push(text);
    return text;
  });
  return texts;
}
