import { type Sql, statement } from '@parley/shared/db';
import { ALERT_WORD_RULE, type AlertWord, foldCase } from '@parley/shared/values';
import { z } from 'zod';
import type { Bind, Condition } from './narrow';

/** Words that every tokenizer separates alike. The index is not used for other parts of alert words. */
const INDEXED = /^[a-z][a-z0-9]*$/;

const FOLDED_CONTENT = `translate(lower(m.content), 'ς', 'σ')`;

/**
 * The rule of alertFinder() for a message `m`. Code is removed once, and only from messages that contain one of the words
 * anywhere.
 */
export function hasAlertWordOf(words: readonly AlertWord[]): Condition {
  if (words.length === 0) return () => 'false';
  return (bind) => {
    const somewhere = bind(
      words.map(({ word }) => `%${escapeLike(foldCase(word))}%`),
      'text[]',
    );
    const said = [ALERT_WORD_RULE.closedCode, ALERT_WORD_RULE.openCode].reduce(
      (text, code) => `regexp_replace(${text}, ${bind(code, 'text')}, E'\\n', 'g')`,
      FOLDED_CONTENT,
    );
    const alerts = words.map(({ word, addedAtMs }) => {
      const since = `m.sent_at >= to_timestamp(${bind(addedAtMs, 'bigint')} / 1000.0)`;
      return `(${since} and said.text ~ ${bind(alone(foldCase(word)), 'text')})`;
    });
    return `(${FOLDED_CONTENT} like any(${somewhere})
      and exists (select from (select ${said} as text offset 0) as said where ${alerts.join(' or ')}))`;
  };
}

const INDEXED_ALERT_WORDS = statement(
  `select bool_and(numnode(plainto_tsquery('english', word)) > 0) as "areMeaningful" from unnest($1::text[]) as word`,
  { areMeaningful: z.boolean() },
);

/**
 * The indexed parts of the words, if they find all messages with one of them; null if not, for example if one of them is a stop
 * word, or has no part of letters and digits.
 */
export async function indexedAlertWords(sql: Sql, alertWords: readonly AlertWord[]): Promise<string[] | null> {
  const words = alertWords.map(({ word }) => indexedPartOf(foldCase(word)));
  if (words.length === 0 || words.includes('')) return null;
  const [row] = await sql.query(INDEXED_ALERT_WORDS, [words]);
  return row?.areMeaningful ? words : null;
}

function indexedPartOf(word: string): string {
  const parts = word.split(' ').filter((part) => INDEXED.test(part));
  return parts.join(' ');
}

/** See the index message_with_joined_words. */
const MAY_JOIN_WORDS = '\\S\\.\\S|://|\\](\\(|:|\\[)|\\$\\$|\\||<time:|```|~~~|@_?\\*role:';
const HAS_JOINED_WORDS = `(c.content ~ '${MAY_JOIN_WORDS}' or octet_length(c.rendered_content) > 200000)`;
const JOINED_WORDS = `(regexp_split_to_array(lower(c.content), '[^a-z0-9]+') || ('organization:' || c.realm_id::text))`;

/** Conditions after `where` that keep all messages `c` with one of the words, and few others. */
export function alertCandidates(words: readonly string[], bind: Bind): string[] {
  const queries = words.map((word) => `plainto_tsquery('english', ${bind(word, 'text')})`);
  const organization = `('''organization:' || $1::bigint::text || '''')::tsquery`;
  const joined = words.map(
    (word) => `${JOINED_WORDS} @> (${bind(word.split(/ +/), 'text[]')} || ('organization:' || $1::bigint::text))`,
  );
  return [
    `c.search_vector @@ ((${queries.join(' || ')}) && ${organization})`,
    `${HAS_JOINED_WORDS} and (${joined.join(' or ')})`,
  ];
}

function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

function alone(word: string): string {
  return `(?:^|${anyOf(ALERT_WORD_RULE.before)})${literal(word)}(?:$|${anyOf(ALERT_WORD_RULE.after)})`;
}

function anyOf(characters: string): string {
  return `[${literal(characters)}]`;
}

function literal(text: string): string {
  return text.replace(/[^\p{L}\p{N}\s_]/gu, '\\$&');
}
