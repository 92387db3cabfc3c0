import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';

/** A component whose code is loaded when it is shown for the first time. */
export function lazily<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const loaded = signal<{ Component: ComponentType<Props> } | null>(null);
  let isBegun = false;
  return (props: Props) => {
    if (!isBegun) {
      isBegun = true;
      void load().then((Component) => {
        loaded.value = { Component };
      });
    }
    const Component = loaded.value?.Component;
    return Component ? <Component {...props} /> : null;
  };
}
