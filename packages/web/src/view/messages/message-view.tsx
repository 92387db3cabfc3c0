import { useComputed } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { isSameNarrow } from '../../narrow/narrow';
import { listAt, type Message, type MessageList, message, narrowOf } from '../../store/message-lists';
import { registration } from '../../store/model';
import { outgoingIn } from '../../store/outbox';
import { addressOf, place } from '../../store/place';
import { markRead } from '../../store/reading';
import { texts } from '../../texts/texts';
import { titleOf } from '../base/titles';
import { Compose } from '../compose/compose';
import { OutgoingRow } from '../compose/outgoing-row';
import { MessageRow } from './message-row';

/** The messages of the narrow at which the person is, and what they write there. */
export function MessageView() {
  const list = useComputed(() => {
    void registration.value;
    return listAt(place.value);
  }).value;
  return (
    <>
      <header class="place">
        <h1>{titleOf(list.narrow)}</h1>
      </header>
      <Scroll key={addressOf(list.narrow)} list={list} />
      <Compose narrow={list.narrow} />
    </>
  );
}

/** Within so many pixels of an end, more messages are fetched. */
const NEAR = 800;

function Scroll({ list }: { list: MessageList }) {
  const box = useRef<HTMLDivElement>(null);
  useScrollPosition(box, list);
  const ids = list.ids.value;
  const own = outgoingIn(list.narrow);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled with the keyboard.
    <div class="scroll" ref={box} tabIndex={0} role="log" aria-label={titleOf(list.narrow)}>
      {list.error.value !== null && (
        <p class="notice" role="alert">
          {(list.error.value as Error).message}{' '}
          <button type="button" onClick={() => void list.open()}>
            {texts.value.retry}
          </button>
        </p>
      )}
      {ids.length === 0 && own.length === 0 && list.hasNewest.value && <p class="notice">{texts.value.nothingHere}</p>}
      <Rows list={list} />
      {list.hasNewest.value && own.map((each) => <OutgoingRow key={each.localId} own={each} />)}
    </div>
  );
}

function Rows({ list }: { list: MessageList }) {
  const shown = list.ids.value.map(message).filter((each): each is Message => each !== undefined);
  const isWhole = list.narrow.kind === 'topic' || list.narrow.kind === 'direct';
  return shown.map((each, at) => {
    const before = shown[at - 1];
    const isNewPlace = !isWhole && (!before || !isSameNarrow(narrowOf(before), narrowOf(each)));
    const isFollowing = !isNewPlace && before?.sender_id === each.sender_id && each.timestamp - before.timestamp < 600;
    return (
      <MessageRow
        key={each.id}
        message={each}
        isFollowing={isFollowing}
        place={isNewPlace ? narrowOf(each) : undefined}
      />
    );
  });
}

/** Keeps the place while messages come above and below, and marks as read what was on the screen. */
function useScrollPosition(box: { current: HTMLDivElement | null }, list: MessageList): void {
  const kept = useRef<{ id: string; top: number } | null>(null);
  const isAtEnd = useRef(true);
  const isPlaced = useRef(false);
  const ids = list.ids.value;

  useLayoutEffect(() => {
    const element = box.current;
    if (!element || ids.length === 0) return;
    if (!isPlaced.current) {
      isPlaced.current = true;
      showAnchor(element, list);
    } else if (kept.current && !(isAtEnd.current && list.hasNewest.value)) {
      const row = element.querySelector<HTMLElement>(`[data-id="${kept.current.id}"]`);
      if (row) element.scrollTop += row.getBoundingClientRect().top - kept.current.top;
    } else if (isAtEnd.current) element.scrollTop = element.scrollHeight;
    note();
  });

  function note(): void {
    const element = box.current;
    if (!element) return;
    const visible = rowsOnScreen(element);
    kept.current = visible[0] ? placeOf(visible[0]) : null;
    isAtEnd.current = distanceToEnd(element) < 40;
    if (!document.hidden) markRead(visible.map((row) => Number(row.dataset['id'])));
  }

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const onScroll = () => {
      note();
      if (element.scrollTop < NEAR) void list.loadOlder();
      if (distanceToEnd(element) < NEAR) void list.loadNewer();
    };
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => element.removeEventListener('scroll', onScroll);
  }, [list]);
}

function showAnchor(element: HTMLElement, { anchorId, ids }: MessageList): void {
  const anchor = element.querySelector(`[data-id="${anchorId.value}"]`);
  if (anchor && anchorId.value !== ids.value.at(-1)) anchor.scrollIntoView({ block: 'start' });
  else element.scrollTop = element.scrollHeight;
}

function rowsOnScreen(element: HTMLElement): HTMLElement[] {
  const { top, bottom } = element.getBoundingClientRect();
  return [...element.querySelectorAll<HTMLElement>('[data-id]')].filter((row) => {
    const rect = row.getBoundingClientRect();
    return rect.bottom > top && rect.top < bottom;
  });
}

function placeOf(row: HTMLElement): { id: string; top: number } {
  return { id: row.dataset['id'] as string, top: row.getBoundingClientRect().top };
}

function distanceToEnd({ scrollHeight, scrollTop, clientHeight }: HTMLElement): number {
  return scrollHeight - scrollTop - clientHeight;
}
