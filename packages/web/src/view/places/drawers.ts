import { signal } from '@preact/signals';

/** Which side is open over the middle, where there is no room beside it. */
export const drawer = signal<'left' | 'right' | null>(null);

export function toggleDrawer(side: 'left' | 'right'): void {
  drawer.value = drawer.value === side ? null : side;
}
