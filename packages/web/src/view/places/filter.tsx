import type { Signal } from '@preact/signals';

/** A field for what is looked for in a list. */
export function Filter({ filter, label }: { filter: Signal<string>; label: string }) {
  return (
    <input
      type="search"
      class="filter"
      placeholder={label}
      aria-label={label}
      value={filter.value}
      onInput={({ currentTarget }) => {
        filter.value = currentTarget.value;
      }}
    />
  );
}
