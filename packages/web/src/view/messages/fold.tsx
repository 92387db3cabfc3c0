import { signal, useComputed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { texts } from '../../texts/texts';
import { isLong } from './text-length';

/** Long messages that were opened. Kept here, because rows come and go while the person scrolls. */
const opened = signal<ReadonlySet<number>>(new Set());

function toggle(id: number): void {
  const others = new Set(opened.value);
  if (!others.delete(id)) others.add(id);
  opened.value = others;
}

interface FoldProps {
  messageId: number;
  html: string;
  children: ComponentChildren;
}

/** Shows the beginning of a long message, and the rest when it is asked for. */
export function Fold({ messageId, html, children }: FoldProps) {
  return isLong(html) ? <LongMessage messageId={messageId}>{children}</LongMessage> : children;
}

function LongMessage({ messageId, children }: { messageId: number; children: ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null);
  const isOpen = useComputed(() => opened.value.has(messageId)).value;
  const wasOpen = useRef(isOpen);
  useLayoutEffect(() => {
    if (isOpen === wasOpen.current) return;
    wasOpen.current = isOpen;
    // Before the list goes on to its end, where the person was.
    box.current?.closest('.scroll')?.dispatchEvent(new Event('scroll'));
    if (!isOpen) box.current?.closest('article')?.scrollIntoView({ block: 'nearest' });
  }, [isOpen]);
  return (
    <>
      {/* The browser scrolls in it to what gets the focus, or is found on the page. */}
      <div ref={box} class={isOpen ? '' : 'folded'} onScroll={() => isOpen || toggle(messageId)}>
        {children}
      </div>
      <button type="button" class="plain fold" aria-expanded={isOpen} onClick={() => toggle(messageId)}>
        {isOpen ? texts.value.showLess : texts.value.showMore}
      </button>
    </>
  );
}
