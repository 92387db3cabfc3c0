import { useLayoutEffect } from 'preact/hooks';
import { hasDialog } from './dialog';
import { hasPopover } from './menu';

export interface KeyCommand {
  /** As `KeyboardEvent.key` has it, e.g. `j`, `?` or `ArrowUp`. */
  keys: readonly string[];
  /** The description in the list of all keys. */
  title: () => string;
  run: (event: KeyboardEvent) => void;
}

const commands = new Set<KeyCommand>();

/** All commands that work now. */
export const keyCommands = (): readonly KeyCommand[] => [...commands];

/** Adds commands until the returned function is called. The one that was added last for a key is run. */
export function addKeys(added: readonly KeyCommand[]): () => void {
  for (const each of added) commands.add(each);
  return () => {
    for (const each of added) commands.delete(each);
  };
}

/** Commands that work while the component is there. `inputs`: what they depend on. */
export function useKeys(added: readonly KeyCommand[], inputs: readonly unknown[] = []): void {
  // Before the next key, which is for what is on the screen.
  useLayoutEffect(() => addKeys(added), inputs as unknown[]);
}

document.addEventListener('keydown', (event) => {
  const isCombined = event.ctrlKey || event.metaKey || event.altKey || event.isComposing;
  if (event.defaultPrevented || isCombined || isWriting(event.target) || hasDialog() || hasPopover()) return;
  if (isPressing(event)) return;
  const command = [...commands].reverse().find(({ keys }) => keys.includes(event.key));
  if (!command) return;
  event.preventDefault();
  command.run(event);
});

/** These press what has the focus. */
function isPressing({ key, target }: KeyboardEvent): boolean {
  return (
    (key === 'Enter' || key === ' ') &&
    target instanceof Element &&
    target.closest('a, button, [role="button"]') !== null
  );
}

function isWriting(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
