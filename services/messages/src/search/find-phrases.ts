import type { Span } from './mark';

/** Where a phrase stands in a text, in any casing. */
export function findPhrases(text: string, phrase: string): Span[] {
  const spans: Span[] = [];
  const sought = new RegExp(phrase.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'giu');
  for (const { index, 0: found } of text.matchAll(sought)) spans.push({ from: index, to: index + found.length });
  return spans;
}
