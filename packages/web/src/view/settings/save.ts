import { type ReadonlySignal, useSignal } from '@preact/signals';
import { type Save, useChosen } from '../base/chosen';
import { attempt } from '../base/notices';

const SHOWN_MS = 2_000;

interface Saving<Value> {
  /** The value for the control. */
  value: Value;
  /** Whether something has just been saved. */
  isSaved: ReadonlySignal<boolean>;
  /** Saves; resolves to false after saying why it did not work. */
  change: (changed: Value) => Promise<boolean>;
}

/** Saves a setting as soon as its control changes it, and shows for a moment that this worked. */
export function useSaving<Value>(value: Value, save: Save<Value>): Saving<Value> {
  const isSaved = useSignal(false);
  const { shown, choose } = useChosen(value, async (changed, before) => {
    const isDone = (await attempt(async () => [await save(changed, before)])) !== undefined;
    isSaved.value = isDone;
    if (isDone) setTimeout(() => (isSaved.value = false), SHOWN_MS);
    return isDone;
  });
  return { value: shown, isSaved, change: choose };
}
