import { OPERATORS, operatorNamed, type Term, termOf } from './terms';

/** Translates between ids and what people call channels and persons. */
export interface Names {
  channelName(id: number): string;
  channelId(name: string): number | undefined;
  /** A name of exactly this person, e.g. `Eve|12` if there are several. */
  personName(id: number): string;
  personId(name: string): number | undefined;
}

/** Quotes keep the words of a name together; a quote within them is written twice. */
const WORD = /-?[a-z-]+:"(?:[^"]|"")*"?|"[^"]*"?|\S+/gi;

/** The text of the search box: `channel:general sender:"Eve Castillo" lunch`. */
export function termsOfWords(words: string, names: Names): Term[] {
  const terms: Term[] = [];
  const text: string[] = [];
  for (const word of words.match(WORD) ?? []) {
    const term = termOfWord(word, names);
    if (term) terms.push(term);
    else text.push(word);
  }
  return text.length > 0 ? [...terms, { operator: 'search', operand: text.join(' ') }] : terms;
}

/** The conditions that are finished, each with a space behind it, and the text without them. */
export function takeConditions(text: string): { conditions: string[]; rest: string } {
  const conditions: string[] = [];
  const rest = text.replace(WORD, (word: string, at: number) => {
    if (!isCondition(word) || !/\s/.test(text[at + word.length] ?? '')) return word;
    conditions.push(word);
    return '';
  });
  return { conditions, rest: conditions.length > 0 ? rest.replace(/\s+/g, ' ').trimStart() : text };
}

function isCondition(word: string): boolean {
  const [, name = '', operand = ''] = /^-?([a-z-]+):(.+)$/is.exec(word) ?? [];
  const operator = operatorNamed(name.toLowerCase());
  return operator !== null && operator !== 'search' && (!operand.startsWith('"') || /^".*"$/s.test(operand));
}

function termOfWord(word: string, names: Names): Term | null {
  const [, minus, name = '', written = ''] = /^(-?)([a-z-]+):(.+)$/is.exec(word) ?? [];
  const operator = operatorNamed(name.toLowerCase());
  if (!operator || operator === 'search' || written === '') return null;
  const operand = unquoted(written);
  // `2026-plans` is the name of a channel rather than channel 2026.
  const found = named(operator, operand, names);
  if (typeof found !== 'string') return { operator, operand: found, ...(minus === '-' && { negated: true }) };
  return termOf(operator, operand, minus === '-');
}

/** With ids, as far as the names are known. */
function named(operator: string, written: string, names: Names): Term['operand'] {
  switch (OPERATORS[operator]?.kind) {
    case 'channel':
      return names.channelId(written) ?? written;
    case 'person':
      return names.personId(written) ?? written;
    case 'people': {
      const { taken, rest } = takeNames(written, (name) => names.personId(name) !== undefined);
      return rest === '' && taken.length > 0 ? taken.map((name) => names.personId(name) as number) : written;
    }
    default:
      return written;
  }
}

/** The names with which a list begins, and what follows them. Names may have commas, too: `Castillo, Eve`. */
export function takeNames(list: string, isName: (name: string) => boolean): { taken: string[]; rest: string } {
  const parts = list.split(',');
  const ends = parts.map((_, at) => at + 1);
  const taken: string[] = [];
  for (let from = 0; ; ) {
    const textTo = (end: number) => parts.slice(from, end).join(',').trim();
    const to = ends.findLast((end) => end > from && isName(textTo(end)));
    if (to === undefined) return { taken, rest: textTo(parts.length) };
    taken.push(textTo(to));
    from = to;
  }
}

/** These terms as text for the search box. */
export function wordsOfTerms(terms: readonly Term[], names: Names): string {
  return terms.map((term) => wordOf(term, names)).join(' ');
}

function wordOf({ operator, operand, negated }: Term, names: Names): string {
  if (operator === 'search') return String(operand);
  return `${negated ? '-' : ''}${operator}:${quoted(operandWord(operator, operand, names))}`;
}

function operandWord(operator: string, operand: Term['operand'], names: Names): string {
  if (typeof operand === 'string') return operand;
  if (typeof operand === 'object') return operand.map((id) => names.personName(id)).join(', ');
  const kind = OPERATORS[operator]?.kind;
  if (kind === 'channel') return names.channelName(operand);
  return kind === 'person' ? names.personName(operand) : String(operand);
}

/** A name as it stands behind an operator. */
export function quoted(word: string): string {
  return /[\s"]|^$/.test(word) ? `"${word.replaceAll('"', '""')}"` : word;
}

/** The name that was quoted, also while its end is not typed yet. */
export function unquoted(word: string): string {
  const [, name] = /^"((?:[^"]|"")*)"?$/s.exec(word) ?? [];
  return name?.replaceAll('""', '"') ?? word;
}
