import fc from 'fast-check';
import { expectInTime, renderOrRefuse } from '../../test/rendering-time';
import { allowedHtml } from './sanitise/allowed-html';
import { sanitise } from './sanitise/sanitise';

const length = 100_000;

const inline = [
  ...['*', '**', '***', '~~', '`', '``', '$$', '@**', '@_**', '@*', '#**', '<time:', '[', ']', '](', ')', '!['],
  ...['King Hamlet**', 'Verona>a@5**', ':smile:', ':a', '👩\u200d', '🇩🇪', '❤️', '#12', 'ABC-1', 'é', '\u202e'],
  ...['http://a.com/(', 'a.com', 'x@y.z', '&lt;', '"', "'", '<', '\\', '\\frac{', '2017-06-05', ' ', 'a', '1', ' :)'],
];
const starts = [
  '> ',
  '>',
  '- ',
  '* ',
  '1. ',
  '# ',
  '  ',
  '    ',
  '|',
  'a|',
  '```quote ',
  '````spoiler a',
  '```',
  '~~~',
];
const ends = ['\n', '\n\n', '\n\n\n', '|\n', '|-|-|\n', '---\n', '\n```\n', '\n~~~\n', '\n````\n'];

const piecesOf = (pieces: string[], minLength: number, maxLength: number) =>
  fc.array(fc.constantFrom(...pieces), { minLength, maxLength }).map((parts) => parts.join(''));
const line = fc
  .tuple(piecesOf(starts, 0, 3), piecesOf(inline, 1, 4), piecesOf(ends, 1, 1))
  .map((parts) => parts.join(''));
const unit = fc.oneof(piecesOf([...starts, ...inline, ...ends], 1, 6), line);

/** Texts that repeat one construct: in a row, deeper on each line, opened and then closed, or nested. */
const texts = fc
  .oneof(
    unit.map(filled),
    fc.tuple(unit, unit).map(([a, b]) => filled(a).slice(0, length / 2) + filled(b).slice(0, length / 2)),
    fc.tuple(unit, unit).map(([a, b]) => a.repeat(length / 50) + b.repeat(length / 50)),
    fc.tuple(piecesOf(starts, 1, 2), line).map(([step, rest]) => staircase((at) => step.repeat(at) + rest)),
    fc.tuple(piecesOf(starts, 1, 2), line).map(([step, rest]) => staircase((at) => step.repeat(400 - at) + rest)),
    fc.tuple(piecesOf(inline, 1, 2), line).map(([step, rest]) => staircase((at) => step.repeat(at) + rest)),
    fc.array(line, { minLength: 100, maxLength: 100 }).map((lines) => filled(lines.join(''))),
    fc.array(fc.constantFrom('quote', 'spoiler a', 'quoted'), { minLength: 300, maxLength: 300 }).map(fences),
  )
  .map((text) => text.slice(0, length));

function filled(pattern: string): string {
  return pattern.repeat(Math.ceil(length / pattern.length));
}

function staircase(lineAt: (at: number) => string): string {
  return Array.from({ length: 400 }, (_, at) => lineAt(at)).join('');
}

/** Each fence encloses all following ones. */
function fences(languages: string[]): string {
  const fenceAt = (at: number) => (at % 2 === 0 ? '`' : '~').repeat(languages.length - at + 3);
  const opened = languages.map((language, at) => `${fenceAt(at)}${language}\n- a|b\n`);
  return opened.join('') + languages.map((_, at) => `> #12\n${fenceAt(languages.length - at - 1)}\n`).join('');
}

const numRuns = Number(process.env.NESTED_TEXTS ?? 100);
const timeoutMs = 60_000 + numRuns * 1_000;

test(
  'whatever is nested in whatever is rendered or refused in time',
  () => {
    void fc.assert(
      fc.property(texts, (content) => {
        expectInTime(() => renderOrRefuse(content));
      }),
      { numRuns, endOnFailure: true },
    );
  },
  timeoutMs,
);

test(
  'and only what is allowed comes out, each element closed where it belongs',
  () => {
    void fc.assert(
      fc.property(texts, (content) => {
        const html = renderOrRefuse(content.slice(0, 5_000));
        expect(sanitise(html)).toBe(html);
        expect(misplacedTags(html)).toEqual([]);
      }),
      { numRuns: numRuns * 2 },
    );
  },
  timeoutMs,
);

const emptyTags = new Set(['br', 'hr', 'img', 'path', 'line']);

/** Tags that are not allowed, or close something that is not open. */
function misplacedTags(html: string): string[] {
  const open: string[] = [];
  const misplaced: string[] = [];
  for (const [whole, slash, tag = ''] of html.matchAll(/<(\/?)([^\s>/]*)[^>]*>/g)) {
    if (!(tag in allowedHtml)) misplaced.push(whole);
    else if (slash === '/' && open.pop() !== tag) misplaced.push(whole);
    else if (slash === '' && !emptyTags.has(tag)) open.push(tag);
  }
  return [...misplaced, ...open];
}
