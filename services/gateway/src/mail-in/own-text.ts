// The text of a mail that its sender has written, without what mail programs add: quoted mails and signatures. Written here since
// email-reply-parser, the library for it, needs Node 22, and time that grows with the square of the mail's length. Every step looks at
// each line once; at most four lines are joined to find a line that was wrapped.

/** Further lines are left out: no person writes so many. */
const MAX_LINES = 5_000;
/** A line that introduces a quote may be wrapped. */
const MAX_WRAPPED = 4;
const MAX_INTRODUCTION_LENGTH = 400;

/** Lines that introduce a quote, in English and German, as mail programs write them. */
const INTRODUCTIONS = [
  // Gmail, Apple Mail, Thunderbird: On Mon, Nov 3, 2025 at 10:00 AM Ada <ada@example.org> wrote:
  /^On\b.{3,}\bwrote\s*:$/i,
  // Am Mo., 3. Nov. 2025 um 10:00 Uhr schrieb Ada <ada@example.org>:
  /^Am\b.{3,}\bschrieb\b.*:$/i,
  /^.{1,200}\bschrieb am\b.{3,}:$/i,
  // 2025-11-03 10:00 GMT+01:00 Ada <ada@example.org>:
  /^\d{4}-\d\d-\d\d \d?\d:\d\d\b.*<[^<>@\s]+@[^<>@\s]+>\s*:$/,
];

/** The last line of any of them, also with marks of emphasis. */
const MAY_END_INTRODUCTION = /:[*_]*$/;

/** Lines after which everything is quoted. */
const SEPARATORS = [
  /^-{2,}\s*(Original Message|Ursprüngliche Nachricht|Original-Nachricht|Originalnachricht)\s*-{2,}$/i,
  /^-{2,}\s*Reply above this line\s*-{2,}$/i,
];

/** The first lines of Outlook's block of headers, in English and German. */
const FIRST_HEADER = /^(From|Von)\s*:\s*\S/i;
const LATER_HEADER = /^(Sent|Date|To|Cc|Subject|Gesendet|Datum|An|Betreff)\s*:/i;
const LEAST_HEADERS = 2;
/** With long lists of recipients, and blank lines between. */
const MAX_HEADER_LINES = 9;
const RULE = /^_{10,}$|^\*{3,}$|^(\* ){2,}\*$|^-{20,}$/;

/** The last line of mails of phones, and of some mail programs. */
const DEVICE_LINE =
  /^(Sent from my \w[\w ]{0,40}|Sent from (Mail|Outlook|Yahoo|Proton)\b.{0,60}|Get Outlook for \w+.{0,60}|Von meinem .{1,60} gesendet|Gesendet von (meinem |Mail|Outlook|Yahoo|Proton).{0,60}|Gesendet mit (der|dem) .{1,60}|Outlook für \w+ (herunterladen|beziehen).{0,60}|Holen Sie sich Outlook.{0,60})$/i;

export interface Kept {
  /** Quoted mails. */
  quotes?: boolean;
  /** Signatures. */
  footer?: boolean;
}

/** The text without quoted mails and signatures, unless they are to be kept. */
export function ownText(text: string, kept: Kept = {}): string {
  let lines = linesOf(text);
  if (!kept.quotes) lines = withoutQuotes(lines);
  if (!kept.footer) lines = withoutFooter(lines);
  return lines
    .join('\n')
    .replace(/\n{4,}/g, '\n\n\n')
    .replace(/^\n+/, '')
    .trimEnd();
}

function linesOf(text: string): string[] {
  const plain = text
    .replace(/\r\n?/g, '\n')
    .replaceAll('\0', '')
    .replace(/[\u200b\ufeff]/g, '');
  return plain.split('\n', MAX_LINES).map((line) => line.trimEnd());
}

const isBlank = (line: string) => line.trim() === '';
const isQuoted = (line: string) => /^\s?>/.test(line);
/** Emphasis as HTML mails have it: **From:** Ada. */
const bare = (line: string) => line.replace(/[*_]{1,3}(?=\S)|(?<=\S)[*_]{1,3}/g, '').trim();

function withoutQuotes(lines: readonly string[]): string[] {
  const end = lines.findIndex((_, at) => isEndOfOwnText(lines, at));
  const shown = end === -1 ? [...lines] : lines.slice(0, end);
  const introduction = findIntroduction(shown);
  if (introduction === null) return withoutTrailingQuote(shown);
  const before = shown.slice(0, introduction.at);
  return [...before, ...ownAfter(shown.slice(introduction.at + introduction.lines))];
}

function isEndOfOwnText(lines: readonly string[], at: number): boolean {
  const line = lines[at] as string;
  if (SEPARATORS.some((separator) => separator.test(bare(line)))) return true;
  if (!FIRST_HEADER.test(bare(line))) return RULE.test(line.trim()) && isHeaderBlock(lines, firstText(lines, at + 1));
  return isHeaderBlock(lines, at);
}

function firstText(lines: readonly string[], from: number): number {
  let at = from;
  while (at < from + MAX_WRAPPED && isBlank(lines[at] ?? '')) at += 1;
  return at;
}

/** From, and at least two of the others close to it. */
function isHeaderBlock(lines: readonly string[], at: number): boolean {
  if (!FIRST_HEADER.test(bare(lines[at] ?? ''))) return false;
  const following = lines.slice(at + 1, at + 1 + MAX_HEADER_LINES);
  return following.filter((line) => LATER_HEADER.test(bare(line))).length >= LEAST_HEADERS;
}

function isIntroduction(wrapped: readonly string[]): boolean {
  const joined = bare(wrapped.join(' '));
  return joined.length <= MAX_INTRODUCTION_LENGTH && INTRODUCTIONS.some((introduction) => introduction.test(joined));
}

/** The first line that introduces a quote, with the lines over which it is wrapped. */
function findIntroduction(lines: readonly string[]): { at: number; lines: number } | null {
  for (const [at, line] of lines.entries()) {
    if (!/^\W{0,3}(On|Am|\d{4}-)\b|schrieb am\b/i.test(line) || isQuoted(line)) continue;
    for (let count = 1; count <= MAX_WRAPPED; count += 1) {
      const last = lines[at + count - 1];
      if (last === undefined || (count > 1 && (isBlank(last) || isQuoted(last)))) break;
      if (MAY_END_INTRODUCTION.test(last) && isIntroduction(lines.slice(at, at + count))) return { at, lines: count };
    }
  }
  return null;
}

/** After an introduction: nothing of a quote at the end; of answers between quoted lines everything; the answer below one quote. */
function ownAfter(lines: readonly string[]): string[] {
  // Programs that mark no quoted lines write their answer above.
  if (!lines.some(isQuoted)) return [];
  const blocks = quotedBlocks(lines);
  if (blocks === 1 && isQuoted(lines.find((line) => !isBlank(line)) ?? ''))
    return lines.filter((line) => !isQuoted(line));
  return withoutTrailingQuote(lines);
}

/** Runs of quoted lines; blank lines do not end one. */
function quotedBlocks(lines: readonly string[]): number {
  let [blocks, isInside] = [0, false];
  for (const line of lines) {
    if (isBlank(line)) continue;
    if (isQuoted(line) && !isInside) blocks += 1;
    isInside = isQuoted(line);
  }
  return blocks;
}

function withoutTrailingQuote(lines: readonly string[]): string[] {
  let end = lines.length;
  while (end > 0 && (isBlank(lines[end - 1] as string) || isQuoted(lines[end - 1] as string))) end -= 1;
  return lines.slice(0, end);
}

function withoutFooter(lines: readonly string[]): string[] {
  // RFC 3676, 4.3; some programs drop the blank.
  const signature = lines.findIndex((line, at) => line === '--' && at > 0 && at >= lines.length - MAX_SIGNATURE_LINES);
  const shown = signature === -1 ? [...lines] : lines.slice(0, signature);
  while (shown.length > 0 && isRemovedAtEnd(shown.at(-1) as string)) shown.pop();
  return shown;
}

const MAX_SIGNATURE_LINES = 20;
const isRemovedAtEnd = (line: string) => isBlank(line) || DEVICE_LINE.test(linkless(bare(line)));
/** Get [Outlook for iOS](https://aka.ms/…), or with the address behind it. */
const linkless = (line: string) =>
  line
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\s*<?https?:\/\/\S+>?/g, '')
    .trim();
