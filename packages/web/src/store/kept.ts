import { type Signal, signal } from '@preact/signals';

/** A choice of this browser that is still there after reloading, e.g. which sections are folded. */
export function kept<Value>(name: string, first: Value): Signal<Value> {
  const stored = signal(readKept(name, first));
  stored.subscribe((value) => {
    try {
      if (value !== first) localStorage.setItem(name, JSON.stringify(value));
    } catch {
      // Without a place to keep it, it lasts as long as the page.
    }
  });
  return stored;
}

function readKept<Value>(name: string, first: Value): Value {
  try {
    return JSON.parse(localStorage.getItem(name) ?? 'null') ?? first;
  } catch {
    return first;
  }
}
