import { signal } from '@preact/signals';
import type { IconNode } from 'lucide';
import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useDeletion } from './deletion';
import { Icon } from './icon';

export interface MenuItem {
  label: string;
  icon?: IconNode;
  run: () => void;
}

interface Popover {
  anchor: HTMLElement;
  draw: (close: () => void) => JSX.Element;
}

/** At most one is open. */
const open = signal<Popover | null>(null);

/** Whether a popover is open: keys are for it, and Escape closes it. */
export const hasPopover = () => open.value !== null;

/** Shows something beside an element: until it is closed, by Escape or by a click elsewhere; then the element has the focus again. */
export function showPopover(anchor: HTMLElement, draw: Popover['draw']): void {
  open.value = { anchor, draw };
}

export function showMenu(anchor: HTMLElement, items: readonly MenuItem[]): void {
  showPopover(anchor, (close) => <Menu items={items} close={close} />);
}

/** The popover that is open, if there is one; part of the app, once. */
export function Popovers() {
  return open.value && <PopoverBox key={open.value} of={open.value} />;
}

function PopoverBox({ of: { anchor, draw } }: { of: Popover }) {
  const element = useRef<HTMLDivElement>(null);
  const close = () => element.current?.hidePopover();
  useDeletion(messageIdOf(anchor), close);
  useLayoutEffect(() => {
    const box = element.current as HTMLDivElement;
    box.showPopover();
    placeBeside(box, anchor);
    box.querySelector<HTMLElement>('input, button, a, [tabindex]')?.focus();
  }, []);
  return (
    <div
      ref={element}
      popover="auto"
      class="popover"
      onBeforeToggle={(event) => {
        // At once: the event after it comes so late that keys pressed meanwhile would be lost.
        if (event.newState === 'closed') leave(event.currentTarget, anchor);
      }}
    >
      {draw(close)}
    </div>
  );
}

/** The message in whose row an element is. */
function messageIdOf(element: HTMLElement): number | undefined {
  const id = element.closest<HTMLElement>('article[data-id]')?.dataset['id'];
  return id === undefined ? undefined : Number(id);
}

/** Somebody who has clicked elsewhere has the focus there. */
function leave(box: HTMLElement, anchor: HTMLElement): void {
  open.value = null;
  const { activeElement: focused, body } = document;
  if (anchor.isConnected && (focused === null || focused === body || box.contains(focused))) anchor.focus();
}

/** Below the anchor or above it, within the window. */
function placeBeside(box: HTMLElement, anchor: HTMLElement): void {
  const [at, { width, height }] = [anchor.getBoundingClientRect(), box.getBoundingClientRect()];
  const below = at.bottom + height <= innerHeight ? at.bottom : Math.max(0, at.top - height);
  const isFromRight = getComputedStyle(anchor).direction === 'rtl';
  const left = Math.max(0, Math.min(isFromRight ? at.right - width : at.left, innerWidth - width));
  box.style.inset = `${below}px auto auto ${left}px`;
}

function Menu({ items, close }: { items: readonly MenuItem[]; close: () => void }) {
  const element = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const buttons = [...(element.current?.querySelectorAll<HTMLElement>('button') ?? [])];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const at = buttons.indexOf(document.activeElement as HTMLElement);
    buttons.at((at + step) % buttons.length)?.focus();
  };
  return (
    <div ref={element} class="menu-items" role="menu" onKeyDown={onKeyDown}>
      {items.map(({ label, icon, run }) => (
        <button
          key={label}
          type="button"
          role="menuitem"
          onClick={() => {
            close();
            run();
          }}
        >
          {icon && <Icon of={icon} />} {label}
        </button>
      ))}
    </div>
  );
}
