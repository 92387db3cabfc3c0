import { signal } from '@preact/signals';

/** Which side is open over the middle, where there is no room beside it. */
export const drawer = signal<'left' | 'right' | null>(null);

export function toggleDrawer(side: 'left' | 'right'): void {
  drawer.value = drawer.value === side ? null : side;
}

/** Opens the side first if there is no room for it beside the middle. */
export function focusIn(side: 'left' | 'right', field: HTMLElement | null): void {
  if (field?.offsetParent === null) drawer.value = side;
  requestAnimationFrame(() => field?.focus());
}
