import type { PublicError } from '@parley/shared/errors';
import { findTextLanguage, type TextLanguage } from '@parley/shared/texts';
import { PAGE_TEXTS, type PageTexts } from '@parley/shared/texts/pages';
import { refusalText } from '@parley/shared/texts/refusals';
import { escapeHtml } from '@parley/shared/values';
import type { Exchange } from './exchange';

/** Longer headers than browsers send are not read. */
const MAX_HEADER_LENGTH = 1_000;

/**
 * The language of a page for people who are not signed in: that of the mail which led to it, otherwise the first with texts that the browser
 * accepts, otherwise the organization's.
 */
export function pageLanguage(exchange: Exchange): TextLanguage {
  const { mailLanguage, organizationLanguage } = exchange;
  if (mailLanguage !== '') return findTextLanguage(mailLanguage) ?? 'en';
  return acceptedLanguage(exchange.header('accept-language')) ?? findTextLanguage(organizationLanguage) ?? 'en';
}

/** Of the languages that have texts; undefined: the browser accepts none of them. */
export function acceptedLanguage(header: string | undefined): TextLanguage | undefined {
  if (header === undefined || header.length > MAX_HEADER_LENGTH) return undefined;
  const ranges = header.split(',').map((range) => {
    const [language = '', ...parameters] = range.split(';').map((part) => part.trim());
    const quality = parameters.find((each) => each.startsWith('q='))?.slice('q='.length);
    return { language: findTextLanguage(language), weight: quality === undefined ? 1 : Number(quality) };
  });
  // The sort is stable: the header's order decides among equals.
  const wanted = ranges.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight);
  return wanted.find(({ language }) => language !== undefined)?.language;
}

export function pageTexts(exchange: Exchange): PageTexts {
  return PAGE_TEXTS[pageLanguage(exchange)];
}

/** Words with the language that they are in, if it is not the page's. */
export interface Said {
  text: string;
  language?: string;
}

/** Why something was refused: in English where the catalogue does not have it. */
export function refusalOf(error: PublicError, exchange: Exchange): Said {
  const language = pageLanguage(exchange);
  const text = refusalText(language, error);
  if (text !== undefined) return { text };
  return { text: error.message, ...(language !== 'en' && { language: 'en' }) };
}

/** The attribute of an element with these words. */
export function langOf({ language }: Said): string {
  return language === undefined ? '' : ` lang="${language}"`;
}

/** Marks of values in a text, from the private use area: names that contain them are escaped before. */
const FIRST_MARK = 0xe000;

/** A text as HTML, with pieces of HTML for its values. */
export function markedUp(text: (...values: string[]) => string, ...pieces: readonly string[]): string {
  const marks = pieces.map((_piece, index) => String.fromCharCode(FIRST_MARK + index));
  return escapeHtml(text(...marks)).replace(
    /[\ue000-\ue0ff]/g,
    (mark) => pieces[mark.charCodeAt(0) - FIRST_MARK] ?? '',
  );
}

/** A value in a text keeps its own direction. */
export const strong = (value: string) => `<strong>${escapeHtml(value)}</strong>`;
export const bdi = (value: string) => `<bdi>${escapeHtml(value)}</bdi>`;
