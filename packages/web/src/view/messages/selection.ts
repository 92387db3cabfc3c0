import { signal } from '@preact/signals';

/** The message that keys act on; null: none is chosen yet. */
export const selectedId = signal<number | null>(null);
/** The message below the pointer. */
export const pointedId = signal<number | null>(null);

export const rowOf = (id: number) => document.querySelector<HTMLElement>(`.scroll [data-id="${id}"]`);

/** Chooses a message: it has the focus, and is on the screen. */
export function select(id: number): void {
  selectedId.value = id;
  const row = rowOf(id);
  if (!row) return;
  row.focus({ preventScroll: true });
  // Tall messages are read from their beginning.
  row.scrollIntoView({ block: 'nearest' });
}
