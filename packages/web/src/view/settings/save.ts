import { type ReadonlySignal, useSignal } from '@preact/signals';
import { attempt } from '../base/notices';

const SHOWN_MS = 2_000;

interface Saving {
  /** Whether something has just been saved. */
  isSaved: ReadonlySignal<boolean>;
  /** Saves; resolves to false after saying why it did not work. */
  save: (action: () => Promise<unknown>) => Promise<boolean>;
}

/** Saves what a control has, and shows for a moment that this worked. */
export function useSaving(): Saving {
  const isSaved = useSignal(false);
  const save = async (action: () => Promise<unknown>) => {
    const isDone = (await attempt(async () => [await action()])) !== undefined;
    isSaved.value = isDone;
    if (isDone) setTimeout(() => (isSaved.value = false), SHOWN_MS);
    return isDone;
  };
  return { isSaved, save };
}
