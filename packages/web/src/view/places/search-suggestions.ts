import { quoted, takeNames, unquoted } from '../../narrow/search-words';
import { OPERATORS } from '../../narrow/terms';
import { matches } from '../../store/shown-topics';

/** A suggested search. */
export interface Suggestion {
  /** The whole text of the search, if it is taken. */
  words: string;
  /** Begins with what it is, e.g. an operator: something has to be written behind it. */
  isUnfinished: boolean;
}

export interface SearchFacts {
  /** Names of channels, those of the person first. */
  channels: readonly string[];
  /** Names of people, by which they are found. */
  people(words: string, most: number): string[];
  isPerson(name: string): boolean;
  /** Topics of the channel that the search names, or where the person is. */
  topics: readonly string[];
  /** The search for what is looked at, e.g. `channel:general`; empty: nothing. */
  here: string;
  former: readonly string[];
}

const MOST = 12;
const MOST_OF_A_KIND = 5;
/** Suggested without being asked for, in this order; the others are known to those who type them. */
const SUGGESTED = ['channel', 'topic', 'dm', 'sender', 'is', 'has', 'dm-including', 'channels', 'near', 'id'];

/** Suggestions for the text typed so far. */
export function searchSuggestions(text: string, facts: SearchFacts): Suggestion[] {
  const { before, word } = lastWord(text);
  const done = (words: string): Suggestion => ({ words: `${before}${words}`, isUnfinished: false });
  if (text.trim() === '') return unique([...startingWith(facts), ...operators('', before)]);
  const [, minus = '', operator, operand] = /^(-?)([a-z-]+):(.*)$/is.exec(word) ?? [];
  if (operator !== undefined && operand !== undefined && Object.hasOwn(OPERATORS, operator)) {
    return unique(
      operands(operator, unquoted(operand), facts).map((each) => done(`${minus}${operator}:${quoted(each)}`)),
    );
  }
  if (word === '') return unique(operators('', before));
  return unique([...operators(word, before), ...ofAllKinds(word, facts).map(done)]);
}

/** The word that is being typed; quotes keep several words together. */
function lastWord(text: string): { before: string; word: string } {
  const word = /(?:-?[a-z-]+:)?(?:"(?:[^"]|"")*"?|[^\s"]*)$/i.exec(text)?.[0] ?? '';
  return { before: text.slice(0, text.length - word.length), word };
}

function startingWith({ here, former }: SearchFacts): Suggestion[] {
  const added = here === '' ? [] : [{ words: `${here} `, isUnfinished: true }];
  return [...added, ...former.slice(0, MOST_OF_A_KIND).map((words) => ({ words, isUnfinished: false }))];
}

function operators(word: string, before: string): Suggestion[] {
  const [, minus = '', name = ''] = /^(-?)(.*)$/s.exec(word) ?? [];
  const fitting = SUGGESTED.filter((each) => each.startsWith(name.toLowerCase()));
  return fitting.map((each) => ({ words: `${before}${minus}${each}:`, isUnfinished: true }));
}

function operands(operator: string, written: string, facts: SearchFacts): string[] {
  const fitting = (known: readonly string[]) => first(known, (each) => matches(each, written), MOST);
  const { kind, choices = [] } = OPERATORS[operator] ?? {};
  if (kind === 'channel') return fitting(facts.channels);
  if (kind === 'person') return facts.people(written, MOST);
  if (kind === 'choice') return choices.filter((each) => each.startsWith(written.toLowerCase()));
  if (operator === 'topic') return fitting(facts.topics);
  if (kind !== 'people') return [];
  // The last name is still being typed.
  const end = written.lastIndexOf(',');
  const { taken, rest } = takeNames(written.slice(0, Math.max(end, 0)), facts.isPerson);
  const last = (rest === '' ? written.slice(end + 1) : rest + written.slice(end)).trim();
  return facts.people(last, MOST).map((each) => [...taken, each].join(', '));
}

/** Channels and people with that name. */
function ofAllKinds(word: string, facts: SearchFacts): string[] {
  const negated = word.startsWith('-');
  const name = unquoted(negated ? word.slice(1) : word);
  const choices = ['is', 'has'].flatMap((operator) =>
    (OPERATORS[operator]?.choices ?? []).filter((each) => each.startsWith(name)).map((each) => `${operator}:${each}`),
  );
  const fits = (each: string) => matches(each, name);
  const few = MOST_OF_A_KIND;
  const all = [
    ...choices,
    ...first(facts.channels, fits, few).map((each) => `channel:${quoted(each)}`),
    ...first(facts.topics, fits, 3).map((each) => `topic:${quoted(each)}`),
    ...facts.people(name, 3).flatMap((each) => [`dm:${quoted(each)}`, `sender:${quoted(each)}`]),
  ];
  return negated ? all.map((each) => `-${each}`) : all;
}

/** Stops when there are enough of thousands. */
function first(known: readonly string[], fits: (name: string) => boolean, most: number): string[] {
  const found: string[] = [];
  for (const each of known) {
    if (fits(each)) found.push(each);
    if (found.length === most) break;
  }
  return found;
}

function unique(suggestions: readonly Suggestion[]): Suggestion[] {
  return [...new Map(suggestions.map((each) => [each.words, each])).values()].slice(0, MOST);
}
