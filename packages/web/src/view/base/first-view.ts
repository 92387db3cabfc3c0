import { signal } from '@preact/signals';

/** Whether the first view is on the screen: what is less urgent is drawn after it. */
export const isFirstViewShown = signal(false);

/** Called by views that have something to show. */
export function noteShownView(): void {
  if (isFirstViewShown.peek()) return;
  // After the frame that shows it.
  requestAnimationFrame(() =>
    setTimeout(() => {
      isFirstViewShown.value = true;
    }),
  );
}
