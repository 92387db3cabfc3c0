// Pictures of accounts and organizations without an uploaded one: initials on a color. The address says all that is drawn, so no
// request goes to a third party, none needs the database, and no address reveals more than the name beside it.

/** The prefix of default pictures' addresses at the gateway. */
export const DEFAULT_PICTURE_PREFIX = '/static/pictures/';

/** White is readable on all of them. */
export const PICTURE_COLORS: readonly string[] = [
  ...['#8b2f3c', '#a03a1d', '#8a4b00', '#6f5900', '#4d6600', '#2d6b2f', '#00695c', '#006478'],
  ...['#005fa3', '#2f4fa8', '#4c44b0', '#6a3aa8', '#86328f', '#9c2a6a', '#5d4a3f', '#455a64'],
];

/** The address of the default picture; `version` makes it a new one whenever the picture changes. */
export function defaultPictureUrl({ id, name, version }: { id: number; name: string; version: number }): string {
  const color = id % PICTURE_COLORS.length;
  return `${DEFAULT_PICTURE_PREFIX}${color}/${encodeURIComponent(initialsOf(name))}.svg?version=${version}`;
}

const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** Each letter is one code point. */
const PLAIN_WORDS = /^[\p{L}\p{N}]+(?: [\p{L}\p{N}]+)*$/u;
/** No address can contain it. */
const HALF_A_CHARACTER = /\p{Cs}/gu;
const BEGINS_A_NAME = /^[\p{L}\p{N}]/u;
/** Longer ones are pathological: a family of emoji has 11 code units. */
const MAX_GRAPHEME_LENGTH = 16;
const UNNAMED = '?';

/** The first letters of a name's first and last word, in any script. */
export function initialsOf(name: string): string {
  // Most names. NOTE: the rest takes ten times as long, which for a large organization would block the event loop.
  if (PLAIN_WORDS.test(name)) return plainInitials(name);
  const words = name.replace(HALF_A_CHARACTER, '\ufffd').normalize('NFC').trim().split(/\s+/u);
  // Not "(they/them)" or an emoji beside the name.
  const named = words.filter((word) => BEGINS_A_NAME.test(word));
  const [first = words[0] as string, ...others] = named;
  return [first, ...others.slice(-1)].map(firstGrapheme).join('') || UNNAMED;
}

function plainInitials(name: string): string {
  const last = name.lastIndexOf(' ') + 1;
  return last === 0 ? letterAt(name, 0) : letterAt(name, 0) + letterAt(name, last);
}

function letterAt(text: string, at: number): string {
  return capital(String.fromCodePoint(text.codePointAt(at) as number));
}

function firstGrapheme(word: string): string {
  for (const { segment } of GRAPHEMES.segment(word))
    return segment.length <= MAX_GRAPHEME_LENGTH ? capital(segment) : letterAt(segment, 0);
  return '';
}

/** Some letters have no capital of their own: ß would be SS. */
function capital(letter: string): string {
  const upper = letter.toUpperCase();
  return upper.length === letter.length ? upper : letter;
}

/** Whether a text may be drawn as initials: one or two letters. */
export function isInitials(text: string): boolean {
  return text.length > 0 && text.length <= 2 * MAX_GRAPHEME_LENGTH && [...GRAPHEMES.segment(text)].length <= 2;
}
