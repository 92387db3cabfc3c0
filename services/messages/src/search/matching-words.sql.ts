import { type Sql, statement } from '@parley/shared/db';
import { z } from 'zod';
import type { Span } from './highlight-matches';

/** Not characters; texts that contain them are not highlighted. */
const [START, END] = ['\ufdd0', '\ufdd1'];
const MARKS = /([\ufdd0\ufdd1])/;

const FIND_WORDS = statement(
  `select text, ts_headline('english', text, query, $3) as marked
   from unnest($1::text[]) as text, (
     select replace(plainto_tsquery('english', $2)::text, ''' & ''', ''' | ''')::tsquery
   ) as sought (query)
   where to_tsvector('english', text) @@ query`,
  { text: z.string(), marked: z.string() },
);

/** The positions of the words, in any of their forms, in each text (HTML without tags). */
export async function findWords(sql: Sql, texts: readonly string[], words: string): Promise<Map<string, Span[]>> {
  if (texts.length === 0 || words.trim() === '') return new Map();
  const marked = await sql.query(FIND_WORDS, [
    texts.filter((text) => !MARKS.test(text)),
    words,
    `HighlightAll=true, StartSel=${START}, StopSel=${END}`,
  ]);
  return new Map(marked.map(({ text, marked }) => [text, spansOf(marked)]));
}

function spansOf(marked: string): Span[] {
  const spans: Span[] = [];
  let at = 0;
  let from = 0;
  for (const part of marked.split(MARKS)) {
    if (part === START) from = at;
    else if (part === END) spans.push({ from, to: at });
    else at += part.length;
  }
  return spans;
}
