import { useSignal } from '@preact/signals';

interface Typed {
  value: string;
  onInput: (event: { currentTarget: { value: string } }) => void;
  /** Shows the setting again: when what was typed is on its way, or what the setting is instead. */
  clear: () => void;
}

/** For a field that shows a setting: what somebody types stays, although the setting is drawn anew meanwhile. */
export function useTyped(value: string): Typed {
  const typed = useSignal<string | null>(null);
  return {
    value: typed.value ?? value,
    onInput: ({ currentTarget }) => {
      typed.value = currentTarget.value;
    },
    clear: () => {
      typed.value = null;
    },
  };
}
