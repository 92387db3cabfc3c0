import { type Signal, useSignal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import { texts } from '../../texts/texts';
import type { Emoji } from './emoji';
import { type Entry, findEmoji, keyOf } from './find-emoji';
import { GROUPS, groupOf, orderOf } from './groups';
import { loadVocabulary, mostUsed, noteUse, vocabulary } from './vocabulary';

const MOST_FOUND = 90;
const MOST_USED = 18;

interface Section {
  title: string;
  entries: readonly Entry[];
}

/** All emoji by group, with a search. Arrows go through them. */
export function EmojiPicker({ take }: { take: (emoji: Emoji) => void }) {
  const word = useSignal('');
  const shown = useSignal<Entry | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const all = vocabulary();
  const sections = useMemo(() => sectionsOf(all, word.value), [all.length, word.value]);
  const choose = (entry: Entry) => {
    noteUse(entry);
    const { emoji_name, emoji_code, reaction_type } = entry;
    take({ emoji_name, emoji_code, reaction_type });
  };
  // Enter may be pressed before the emoji are loaded or drawn.
  const takeFirst = async () => {
    const searched = word.value;
    await loadVocabulary();
    const first = sectionsOf(vocabulary(), searched)[0]?.entries[0];
    if (searched.trim() !== '' && first && box.current) choose(first);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: it is no part of a form.
    <div
      class="emoji-picker"
      role="group"
      aria-label={texts.value.emoji}
      ref={box}
      onKeyDown={(event) => move(event, box.current as HTMLDivElement)}
    >
      <Search word={word} takeFirst={takeFirst} />
      <div class="emoji-groups">
        {sections.map(({ title, entries }) => (
          <EmojiGroup key={title} title={title} entries={entries} choose={choose} show={shown} />
        ))}
        {all.length > 0 && sections.length === 0 && <p class="notice">{texts.value.noEmoji}</p>}
      </div>
      <Names of={shown.value} />
    </div>
  );
}

/** The names of the emoji. */
function Names({ of }: { of: Entry | null }) {
  return (
    <p class="emoji-name" aria-live="polite">
      {of && <Picture of={of} />} {of?.names.map((name) => `:${name}:`).join(' ')}
    </p>
  );
}

function Search({ word, takeFirst }: { word: Signal<string>; takeFirst: () => void }) {
  const { searchEmoji } = texts.value;
  return (
    <input
      type="search"
      aria-label={searchEmoji}
      placeholder={searchEmoji}
      value={word.value}
      onInput={({ currentTarget }) => {
        word.value = currentTarget.value;
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return;
        // It would go to the field that has the focus afterwards.
        event.preventDefault();
        event.stopPropagation();
        takeFirst();
      }}
    />
  );
}

interface GroupProps extends Section {
  choose: (entry: Entry) => void;
  show: { value: Entry | null };
}

function EmojiGroup({ title, entries, choose, show }: GroupProps) {
  return (
    <section>
      <h2>{title}</h2>
      <div class="emoji-grid">
        {entries.map((entry) => (
          <button
            key={keyOf(entry)}
            type="button"
            aria-label={entry.emoji_name.replaceAll('_', ' ')}
            title={`:${entry.emoji_name}:`}
            onFocus={() => {
              show.value = entry;
            }}
            onPointerEnter={() => {
              show.value = entry;
            }}
            onClick={() => choose(entry)}
          >
            <Picture of={entry} />
          </button>
        ))}
      </div>
    </section>
  );
}

function Picture({ of: { image, text } }: { of: Entry }) {
  if (image) return <img class="emoji" src={image} alt="" width="24" height="24" />;
  return (
    <span class="emoji" aria-hidden="true">
      {text}
    </span>
  );
}

function sectionsOf(all: readonly Entry[], word: string): Section[] {
  const { emojiFound, emojiUsed, emojiOwn, emojiGroups } = texts.value;
  const used = mostUsed(MOST_USED);
  const sections =
    word.trim() === ''
      ? [
          { title: emojiUsed, entries: used.flatMap((key) => all.find((each) => keyOf(each) === key) ?? []) },
          { title: emojiOwn, entries: all.filter(({ image }) => image !== undefined) },
          ...groupsOf(all).map(([group, entries]) => ({ title: emojiGroups[group], entries })),
        ]
      : [{ title: emojiFound, entries: findEmoji(all, word, MOST_FOUND, used) }];
  return sections.filter(({ entries }) => entries.length > 0);
}

function groupsOf(all: readonly Entry[]) {
  const byGroup = new Map(GROUPS.map((group) => [group, [] as Entry[]]));
  const ordered = all
    .filter(({ image }) => image === undefined)
    .map((entry) => ({ entry, order: orderOf(entry.emoji_code) }))
    .sort((a, b) => a.order - b.order);
  for (const { entry } of ordered) byGroup.get(groupOf(entry.emoji_code))?.push(entry);
  return [...byGroup];
}

/** Arrows move between buttons as they are on the screen; a letter goes on with the search. */
function move(event: KeyboardEvent, box: HTMLElement): void {
  const input = box.querySelector('input') as HTMLInputElement;
  const buttons = [...box.querySelectorAll<HTMLElement>('.emoji-grid button')];
  const at = buttons.indexOf(document.activeElement as HTMLElement);
  const isArrow = event.key.startsWith('Arrow');
  if (at < 0) {
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    buttons[0]?.focus();
  } else if (isArrow) {
    event.preventDefault();
    (nextOf(buttons, at, event.key) ?? input).focus();
  } else if (event.key.length === 1 && event.key !== ' ') input.focus();
}

function nextOf(buttons: readonly HTMLElement[], at: number, key: string): HTMLElement | undefined {
  if (key === 'ArrowRight') return buttons[at + 1] ?? buttons[at];
  if (key === 'ArrowLeft') return buttons[at - 1];
  const from = (buttons[at] as HTMLElement).getBoundingClientRect();
  const isDown = key === 'ArrowDown';
  const others = isDown ? buttons.slice(at + 1) : buttons.slice(0, at).reverse();
  const isBeyond = ({ top }: DOMRect) => (isDown ? top > from.top + 4 : top < from.top - 4);
  const row = others.filter((each) => isBeyond(each.getBoundingClientRect())).slice(0, 24);
  const first = row[0]?.getBoundingClientRect().top;
  const inRow = row.filter((each) => each.getBoundingClientRect().top === first);
  const distance = (each: HTMLElement) => Math.abs(each.getBoundingClientRect().left - from.left);
  return inRow.sort((a, b) => distance(a) - distance(b))[0] ?? (isDown ? buttons[at] : undefined);
}
