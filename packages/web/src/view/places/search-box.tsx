import { signal, useSignalEffect } from '@preact/signals';
import { Search, X } from 'lucide';
import { useRef } from 'preact/hooks';
import { type Narrow, placeOfTerms, termsOf } from '../../narrow/narrow';
import { termsOfWords, wordsOfTerms } from '../../narrow/search-words';
import { kept } from '../../store/kept';
import { read } from '../../store/model';
import { names } from '../../store/names';
import { channelOf, go, homeNarrow, place } from '../../store/place';
import { matches } from '../../store/shown-topics';
import { topicsOf } from '../../store/topics';
import { texts } from '../../texts/texts';
import { Icon, IconButton } from '../base/icon';
import { useKeys } from '../base/keys';
import { sortedPeople } from '../people/people-order';
import { type SearchFacts, type Suggestion, searchSuggestions } from './search-suggestions';

const MOST_FORMER = 8;
const former = kept<readonly string[]>('searches', []);
const words = signal('');
const isOpen = signal(false);
/** Which suggestion is chosen; -1: none, what is typed is searched for. */
const at = signal(-1);

/** Finds messages, and views: the words of a search with operators, and suggestions for them. */
export function SearchBox() {
  const field = useRef<HTMLInputElement>(null);
  // The search that is looked at stands in the field.
  useSignalEffect(() => {
    words.value = wordsFor(place.value.narrow);
  });
  useKeys([{ keys: ['/'], title: () => texts.value.search, run: () => field.current?.focus() }]);
  const suggestions = isOpen.value ? searchSuggestions(words.value, factsFor()) : [];
  return (
    <search class="search">
      <Icon of={Search} />
      <Field field={field} suggestions={suggestions} />
      {words.value !== '' && <IconButton of={X} label={texts.value.clearSearch} onClick={() => clear(field.current)} />}
      {suggestions.length > 0 && <Suggestions suggestions={suggestions} take={(each) => take(each, field.current)} />}
    </search>
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
        words.value = currentTarget.value;
        at.value = -1;
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
  if (step) at.value = Math.max(-1, Math.min(suggestions.length - 1, at.value + step));
  else if (key === 'Escape') forget(field);
  else if ((key === 'Enter' || key === 'Tab') && chosen) take(chosen, field);
  else if (key === 'Enter') search(words.value, field);
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

/** What the last operator means. */
function explain(searched: string): string {
  const [, operator = ''] = /(?:^|\s)-?([a-z-]+):(?:"[^"]*"|[^\s"]*)\s?$/.exec(searched) ?? [];
  return (texts.value.operators as Record<string, string>)[operator] ?? '';
}

function take({ words: taken, isUnfinished }: Suggestion, field: HTMLInputElement | null): void {
  words.value = taken;
  at.value = -1;
  if (isUnfinished) field?.focus();
  else search(taken, field);
}

function search(searched: string, field: HTMLInputElement | null): void {
  const terms = termsOfWords(searched, names);
  if (terms.length === 0) return;
  former.value = [searched.trim(), ...former.value.filter((each) => each !== searched.trim())].slice(0, MOST_FORMER);
  const { narrow, nearId, withId } = placeOfTerms(terms);
  go(narrow, nearId ?? withId);
  field?.blur();
}

/** What is typed first, then the search that is looked at. */
function clear(field: HTMLInputElement | null): void {
  const present = wordsFor(place.value.narrow);
  if (words.value === present && present !== '') go(homeNarrow());
  words.value = present;
  field?.blur();
  close();
}

function forget(field: HTMLElement): void {
  words.value = wordsFor(place.value.narrow);
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
  const named = termsOfWords(words.value, names).find(({ operator }) => operator === 'channel')?.operand;
  const channelId = typeof named === 'number' ? named : channelOf(narrow);
  const here = narrow.kind === 'search' ? '' : wordsOfTerms(termsOf(narrow), names);
  return {
    channels: [...own, ...others],
    topics: channelId === undefined ? [] : (topicsOf(channelId) ?? []).map(({ name }) => name),
    people: (searched, most) => peopleNamed(searched, most),
    here,
    former: former.value,
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
