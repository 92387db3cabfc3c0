import { signal, useSignalEffect } from '@preact/signals';
import { Search, X } from 'lucide';
import { useRef } from 'preact/hooks';
import { type Narrow, placeOfTerms, termsOf } from '../../narrow/narrow';
import { takeConditions, termsOfWords, wordsOfTerms } from '../../narrow/search-words';
import { isMistaken, OPERATORS } from '../../narrow/terms';
import { kept } from '../../store/kept';
import { read } from '../../store/model';
import { names } from '../../store/names';
import { channelOf, go, homeNarrow, place } from '../../store/place';
import { matches } from '../../store/shown-topics';
import { topicsOf } from '../../store/topics';
import { texts } from '../../texts/texts';
import { Icon, IconButton } from '../base/icon';
import { useKeys } from '../base/keys';
import { say } from '../base/notices';
import { sortedPeople } from '../people/people-order';
import { type SearchFacts, type Suggestion, searchSuggestions } from './search-suggestions';

const MOST_FORMER = 8;
const former = kept<readonly string[]>('searches', []);
/** Conditions that are finished, each with a button to remove it, and the words behind them. */
const conditions = signal<readonly string[]>([]);
const words = signal('');
const isOpen = signal(false);
/** Which suggestion is chosen; -1: none, what is typed is searched for. */
const at = signal(-1);

/** Finds messages, and views: the words of a search with operators, and suggestions for them. */
export function SearchBox() {
  const field = useRef<HTMLInputElement>(null);
  // The search that is looked at stands in the field.
  useSignalEffect(() => {
    show(wordsFor(place.value.narrow));
  });
  useKeys([{ keys: ['/'], title: () => texts.value.search, run: () => field.current?.focus() }]);
  const suggestions = isOpen.value ? searchSuggestions(words.value, factsFor()) : [];
  return (
    <search class="search">
      <Icon of={Search} />
      {conditions.value.length > 0 && <Conditions field={field} />}
      <Field field={field} suggestions={suggestions} />
      {written() !== '' && <IconButton of={X} label={texts.value.clearSearch} onClick={() => clear(field.current)} />}
      {suggestions.length > 0 && <Suggestions suggestions={suggestions} take={(each) => take(each, field.current)} />}
    </search>
  );
}

function Conditions({ field }: { field: FieldProps['field'] }) {
  return (
    <div class="conditions">
      {conditions.value.map((each) => (
        <button
          key={each}
          type="button"
          class="pill"
          aria-label={texts.value.removePerson(each)}
          onClick={() => remove(each, field.current)}
        >
          {each} <Icon of={X} />
        </button>
      ))}
    </div>
  );
}

interface FieldProps {
  field: { current: HTMLInputElement | null };
  suggestions: readonly Suggestion[];
}

function Field({ field, suggestions }: FieldProps) {
  const t = texts.value;
  return (
    <input
      ref={field}
      role="combobox"
      aria-expanded={suggestions.length > 0}
      aria-autocomplete="list"
      aria-controls="search-suggestions"
      aria-activedescendant={at.value < 0 ? undefined : `search-suggestion-${at.value}`}
      aria-label={t.searchHint}
      placeholder={t.searchHint}
      autocomplete="off"
      value={words.value}
      onFocus={({ currentTarget }) => {
        isOpen.value = true;
        currentTarget.select();
      }}
      onBlur={close}
      onInput={({ currentTarget }) => {
        add(currentTarget.value);
        isOpen.value = true;
      }}
      onKeyDown={(event) => onKey(event, suggestions)}
    />
  );
}

function onKey(event: KeyboardEvent & { currentTarget: HTMLInputElement }, suggestions: readonly Suggestion[]): void {
  const { key, currentTarget: field } = event;
  const step = { ArrowDown: 1, ArrowUp: -1 }[key];
  const chosen = suggestions[at.value] ?? (key === 'Tab' && words.value !== '' ? suggestions[0] : undefined);
  const isAtStart = field.selectionStart === 0 && field.selectionEnd === 0;
  if (step) at.value = Math.max(-1, Math.min(suggestions.length - 1, at.value + step));
  else if (key === 'Escape') forget(field);
  else if ((key === 'Enter' || key === 'Tab') && chosen) take(chosen, field);
  else if (key === 'Enter') search(written(), field);
  else if (key === 'Backspace' && isAtStart && conditions.value.length > 0)
    conditions.value = conditions.value.slice(0, -1);
  else return;
  event.preventDefault();
}

function Suggestions({
  suggestions,
  take: choose,
}: {
  suggestions: readonly Suggestion[];
  take: (each: Suggestion) => void;
}) {
  return (
    <div class="suggestions" id="search-suggestions" role="listbox" aria-label={texts.value.search}>
      {suggestions.map((each, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys.
        <div
          key={each.words}
          id={`search-suggestion-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === at.value}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => choose(each)}
        >
          <span class="label">{each.words}</span>
          <small>{explain(each.words)}</small>
        </div>
      ))}
    </div>
  );
}

/** The description of the last condition, or of its operator. */
function explain(searched: string): string {
  const [, operator = '', operand = ''] = /(?:^|\s)-?([a-z-]+):("[^"]*"|[^\s"]*)\s?$/.exec(searched) ?? [];
  const { operators, searchChoices }: { operators: Record<string, string>; searchChoices: Record<string, string> } =
    texts.value;
  return searchChoices[`${operator}:${operand}`] ?? operators[operator] ?? '';
}

/** All that stands in the box. */
const written = () => [...conditions.value, words.value.trim()].filter((each) => each !== '').join(' ');

/** Shows a whole search. */
function show(searched: string): void {
  conditions.value = [];
  add(searched === '' ? '' : `${searched} `);
  words.value = words.peek().trim();
}

/** Conditions move before the words as soon as they are finished. */
function add(typed: string): void {
  const { conditions: finished, rest } = takeConditions(typed);
  if (finished.length > 0) conditions.value = [...new Set([...conditions.peek(), ...finished])];
  words.value = rest;
  at.value = -1;
}

function take({ words: taken, isUnfinished }: Suggestion, field: HTMLInputElement | null): void {
  add(taken);
  if (isUnfinished) field?.focus();
  else search(written(), field);
}

/** A search that is looked at goes on without the condition. */
function remove(condition: string, field: HTMLInputElement | null): void {
  const isLookedAt = written() === wordsFor(place.value.narrow);
  conditions.value = conditions.value.filter((each) => each !== condition);
  if (!isLookedAt) field?.focus();
  else if (written() === '') go(homeNarrow());
  else search(written(), field);
}

function search(searched: string, field: HTMLInputElement | null): void {
  const terms = termsOfWords(searched, names);
  if (terms.length === 0) return;
  const unnumbered = terms.find((term) => OPERATORS[term.operator]?.kind === 'message' && isMistaken(term));
  if (unnumbered) {
    say(texts.value.wrongCondition(wordsOfTerms([unnumbered], names)), true);
    return;
  }
  former.value = [searched.trim(), ...former.value.filter((each) => each !== searched.trim())].slice(0, MOST_FORMER);
  const { narrow, nearId, withId } = placeOfTerms(terms);
  go(narrow, nearId ?? withId);
  field?.blur();
}

/** Clears typed text; without any, leaves the present search. */
function clear(field: HTMLInputElement | null): void {
  const present = wordsFor(place.value.narrow);
  if (written() === present && present !== '') go(homeNarrow());
  show(present);
  field?.blur();
  close();
}

function forget(field: HTMLElement): void {
  show(wordsFor(place.value.narrow));
  field.blur();
}

function close(): void {
  isOpen.value = false;
  at.value = -1;
}

function wordsFor(narrow: Narrow): string {
  return narrow.kind === 'search' ? wordsOfTerms(termsOf(narrow), names) : '';
}

function factsFor(): SearchFacts {
  const { subscriptions, streams } = read('channels', 'people');
  const own = subscriptions.map(({ name }) => name);
  const known = new Set(own);
  const others = (streams ?? []).map(({ name }) => name).filter((name) => !known.has(name));
  const { narrow } = place.value;
  const named = termsOfWords(written(), names).find(({ operator }) => operator === 'channel')?.operand;
  const channelId = typeof named === 'number' ? named : channelOf(narrow);
  const isBegun = conditions.value.length > 0;
  const here = narrow.kind === 'search' || isBegun ? '' : wordsOfTerms(termsOf(narrow), names);
  return {
    channels: [...own, ...others],
    topics: channelId === undefined ? [] : (topicsOf(channelId) ?? []).map(({ name }) => name),
    people: (searched, most) => peopleNamed(searched, most),
    isPerson: (name) => names.personId(name) !== undefined,
    here,
    former: isBegun ? [] : former.value,
  };
}

function peopleNamed(searched: string, most: number): string[] {
  const found: string[] = [];
  for (const each of sortedPeople()) {
    if (matches(each.full_name, searched)) found.push(names.personName(each.user_id));
    if (found.length === most) break;
  }
  return found;
}
