import { signal } from '@preact/signals';

/** Which side is open over the middle, where there is no room beside it. */
export const drawer = signal<'left' | 'right' | null>(null);

export function toggleDrawer(side: 'left' | 'right'): void {
  drawer.value = drawer.value === side ? null : side;
}

/** Opens the side first if there is no room for it beside the middle. Otherwise at once, so the next letter goes there already. */
export function focusIn(side: 'left' | 'right', field: HTMLElement | null): void {
  field?.focus();
  if (field?.offsetParent !== null) return;
  drawer.value = side;
  requestAnimationFrame(() => field.focus());
}
