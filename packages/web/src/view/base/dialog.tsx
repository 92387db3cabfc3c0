import { signal } from '@preact/signals';
import { X } from 'lucide';
import type { ComponentChildren, JSX } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { texts } from '../../texts/texts';
import { useDeletion } from './deletion';
import { IconButton } from './icon';
import { say } from './notices';

interface Open {
  id: number;
  draw: (close: () => void) => JSX.Element;
}

const open = signal<readonly Open[]>([]);
let lastId = 0;

/** Whether a dialog is in front, so that the keys of the views rest. Its close event comes so late that keys pressed meanwhile would be lost. */
export const hasDialog = () => document.querySelector('dialog[open]') !== null;

/** Shows a dialog above all others. `draw` returns a Dialog. */
export function showDialog(draw: Open['draw']): void {
  lastId += 1;
  open.value = [...open.value, { id: lastId, draw }];
}

/** The dialogs that are open; part of the app, once. */
export function Dialogs() {
  return (
    <>
      {open.value.map((each) => (
        <OpenDialog key={each.id} of={each} />
      ))}
    </>
  );
}

/** Stays as it is when others are opened or closed. */
function OpenDialog({ of: { id, draw } }: { of: Open }) {
  return draw(() => {
    open.value = open.value.filter((each) => each.id !== id);
  });
}

interface DialogProps {
  title: string;
  /** The message that it is about: it closes when that is deleted. */
  messageId?: number | undefined;
  close: () => void;
  class?: string;
  children: ComponentChildren;
}

/** The browser keeps the focus within it, closes it with Escape, and gives the focus back. */
export function Dialog({ title, messageId, close, class: name = '', children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // Before the next key. Browsers give the focus back when a dialog is closed, not when it is removed.
  useLayoutEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    if (dialog) focusField(dialog);
    return () => dialog?.close();
  }, []);
  useDeletion(messageId, () => {
    say(texts.value.messageIsDeleted);
    close();
  });
  return (
    <dialog ref={element} class={`dialog ${name}`} aria-labelledby={titleId} onClose={close}>
      <header>
        <h2 id={titleId}>{title}</h2>
        <IconButton of={X} label={texts.value.close} onClick={() => element.current?.close()} />
      </header>
      {children}
    </dialog>
  );
}

const FIELD = 'select, textarea, input:not([type="checkbox"], [type="radio"], [type="file"])';

/** Where a dialog begins with a field, people write at once; on touch screens that would open the keyboard over it. */
function focusField(dialog: HTMLDialogElement): void {
  if (matchMedia('(hover: none)').matches || !dialog.querySelector('header :focus')) return;
  const controls = [...dialog.querySelectorAll<HTMLElement>('input, select, textarea, button, a')];
  const first = controls.find((each) => !each.closest('header') && !each.matches(':disabled'));
  const isField = first?.matches(FIELD);
  // A button may stand before the field in its line.
  (isField ? first : first?.parentElement?.querySelector<HTMLElement>(`:scope > :is(${FIELD})`))?.focus();
}

/** Asks before something that cannot be undone. Resolves when it was answered. */
export function confirm(title: string, question: string, action: string, messageId?: number): Promise<boolean> {
  return new Promise((resolve) => {
    showDialog((close) => {
      const answer = (isConfirmed: boolean) => {
        resolve(isConfirmed);
        close();
      };
      return (
        <Dialog title={title} messageId={messageId} close={() => answer(false)}>
          <p>{question}</p>
          <footer>
            <button type="button" onClick={() => answer(false)}>
              {texts.value.cancel}
            </button>
            <button type="button" class="main" onClick={() => answer(true)}>
              {action}
            </button>
          </footer>
        </Dialog>
      );
    });
  });
}
