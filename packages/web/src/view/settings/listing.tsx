import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { settingsTexts } from '../../texts/settings-texts';

interface ListingProps<Item> {
  /** The name of the listed things, for the filter's label. */
  label: string;
  items: readonly Item[];
  /** The text that the filter searches. */
  textOf: (item: Item) => string;
  keyOf: (item: Item) => string | number;
  draw: (item: Item) => ComponentChildren;
}

/** As many as are drawn at once: a list of 20,000 people stays fast. */
const PAGE = 50;
const FILTER_FROM = 8;

/** A list that is filtered by words, and shows its beginning. */
export function Listing<Item>({ label, items, textOf, keyOf, draw }: ListingProps<Item>) {
  const words = useSignal('');
  const shown = useSignal(PAGE);
  const { nothingFound, showMore } = settingsTexts.value;
  const wanted = words.value.trim().toLowerCase();
  const found = wanted === '' ? items : items.filter((item) => textOf(item).toLowerCase().includes(wanted));
  return (
    <div class="listing">
      {items.length >= FILTER_FROM && (
        <input
          type="search"
          aria-label={`${settingsTexts.value.filter}: ${label}`}
          placeholder={settingsTexts.value.filter}
          value={words.value}
          onInput={({ currentTarget }) => {
            words.value = currentTarget.value;
            shown.value = PAGE;
          }}
        />
      )}
      {found.length === 0 && <p class="none">{nothingFound}</p>}
      <ul aria-label={label}>
        {found.slice(0, shown.value).map((item) => (
          <li key={keyOf(item)}>{draw(item)}</li>
        ))}
      </ul>
      {found.length > shown.value && (
        <button type="button" class="secondary" onClick={() => (shown.value += 4 * PAGE)}>
          {showMore(found.length - shown.value)}
        </button>
      )}
    </div>
  );
}

interface EntryProps {
  picture?: ComponentChildren;
  title: ComponentChildren;
  detail?: ComponentChildren;
  children?: ComponentChildren;
}

/** A line of a list: what it is, and what can be done with it. */
export function Entry({ picture, title, detail, children }: EntryProps) {
  return (
    <div class="item">
      {picture}
      <div class="item-text">
        <strong>{title}</strong>
        {detail && <small>{detail}</small>}
      </div>
      <div class="item-actions">{children}</div>
    </div>
  );
}

interface ActionProps {
  label: string;
  /** For screen readers: what it is done with. */
  of?: string;
  run: () => unknown;
  isMain?: boolean;
  isDisabled?: boolean;
}

export function Action({ label, of, run, isMain = false, isDisabled = false }: ActionProps) {
  return (
    <button
      type="button"
      class={isMain ? 'main' : 'secondary'}
      aria-label={of && `${label}: ${of}`}
      disabled={isDisabled}
      onClick={() => void run()}
    >
      {label}
    </button>
  );
}

/** A part of a page, with its title. */
export function Part({ title, note, children }: { title?: string; note?: string; children: ComponentChildren }) {
  return (
    <section class="part">
      {title && <h2>{title}</h2>}
      {note && <p class="note">{note}</p>}
      {children}
    </section>
  );
}
