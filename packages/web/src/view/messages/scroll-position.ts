import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { MessageList, Seen } from '../../store/message-list';
import { markRead, readsByScrolling } from '../../store/reading';

/** Within so many pixels of an end, more messages are fetched. */
const NEAR = 3_000;
/** As near to the end as this counts as the end. */
const AT_END = 40;

type Box = { current: HTMLDivElement | null };

/** Keeps the place while messages and pictures come above and below, and marks as read what was on the screen. */
export function useScrollPosition(box: Box, list: MessageList): void {
  const shownJump = useRef(-1);
  const { ids, jumps, hasNewest, isLoading, error } = list;
  const state = [ids.value, jumps.value, hasNewest.value] as const;

  useLayoutEffect(() => {
    if (box.current && ids.value.length > 0) begin(box.current, list);
  }, []);

  useLayoutEffect(() => {
    const element = box.current;
    if (!element || ids.value.length === 0) return;
    if (jumps.value !== shownJump.current && jumps.value > 0) showAnchor(element, list);
    else keepPlace(element, list);
    shownJump.current = jumps.value;
    note(element, list);
    extend(element, list);
  }, [list, ...state]);

  // While messages are fetched at one end, none are at the other. A fetch that failed is repeated when the person scrolls or asks for it.
  useLayoutEffect(() => {
    if (box.current && ids.value.length > 0 && !isLoading.value && error.value === null) extend(box.current, list);
  }, [list, isLoading.value]);

  useEffect(() => {
    list.isShown = true;
    const end = box.current && follow(box.current, list);
    return () => {
      list.isShown = false;
      end?.();
    };
  }, [list]);
}

/** Somebody comes back to a list that was fetched before. */
function begin(element: HTMLElement, list: MessageList): void {
  const { seen } = list;
  list.reopen();
  if (list.anchorId.value !== null) showAnchor(element, list);
  else if (!seen) element.scrollTop = element.scrollHeight;
  else comeBack(element, list, seen);
}

/** To where the person was before, in another element. */
function comeBack(element: HTMLElement, list: MessageList, seen: Seen): void {
  list.seen = { ...seen, scrollTop: element.scrollTop };
  keepPlace(element, list);
}

/** Changes without a change of the list: scrolling, loaded pictures, a resized or reopened window. */
function follow(element: HTMLElement, list: MessageList): () => void {
  const onScroll = () => {
    note(element, list);
    extend(element, list);
  };
  const onLook = () => note(element, list);
  const observer = new ResizeObserver(() => {
    keepPlace(element, list);
    note(element, list);
  });
  observer.observe(element);
  if (element.firstElementChild) observer.observe(element.firstElementChild);
  element.addEventListener('scroll', onScroll, { passive: true });
  document.addEventListener('visibilitychange', onLook);
  return () => {
    observer.disconnect();
    element.removeEventListener('scroll', onScroll);
    document.removeEventListener('visibilitychange', onLook);
  };
}

function keepPlace(element: HTMLElement, list: MessageList): void {
  const { seen, hasNewest } = list;
  if (!seen) return;
  if (seen.isAtEnd && hasNewest.value) {
    element.scrollTop = endFor(element, list);
    return;
  }
  const row = element.querySelector<HTMLElement>(`[data-id="${seen.id}"]`);
  // Scrolling since then, which the browser reports in the next frame.
  const scrolled = element.scrollTop - seen.scrollTop;
  const moved = row ? topWithin(element, row) + scrolled - seen.top : 0;
  if (Math.abs(moved) >= 1) element.scrollTop += moved;
}

/** Messages that arrive while the page is hidden do not push the first new one out of sight. */
function endFor(element: HTMLElement, { firstUnreadId }: MessageList): number {
  const row = document.hidden && element.querySelector<HTMLElement>(`[data-id="${firstUnreadId.value}"]`);
  const { scrollHeight: end, scrollTop, clientHeight } = element;
  return row ? Math.min(end, scrollTop + topWithin(element, row) - clientHeight * CONTEXT) : end;
}

function note(element: HTMLElement, list: MessageList): void {
  const rows = rowsOnScreen(element);
  const [first] = rows;
  if (!first) return;
  list.seen = { ...placeOf(element, first), isAtEnd: distanceToEnd(element) < AT_END };
  list.isFarFromEnd.value = !list.seen.isAtEnd;
  if (!document.hidden && readsByScrolling(list.narrow)) markRead(rows.map(idOf));
}

function extend(element: HTMLElement, list: MessageList): void {
  // A full list drops messages at one end for those at the other: it is never near to both.
  const near = list.isFull ? Math.min(NEAR, (element.scrollHeight - element.clientHeight) / 3) : NEAR;
  if (element.scrollTop < near) void list.loadOlder();
  if (distanceToEnd(element) < near) void list.loadNewer();
}

/** So much of what was before stays visible above the first unread message. */
const CONTEXT = 0.25;

function showAnchor(element: HTMLElement, { anchorId, ids }: MessageList): void {
  const row = element.querySelector<HTMLElement>(`[data-id="${anchorId.value}"]`);
  if (!row || ids.value.length === 0) {
    element.scrollTop = element.scrollHeight;
    return;
  }
  // Rows that were not on the screen yet have a guessed height: the second look is exact.
  for (let look = 0; look < 2; look += 1) {
    element.scrollTop += topWithin(element, row) - element.clientHeight * CONTEXT;
  }
}

/** By halves: rows are in the order of the document. */
function rowsOnScreen(element: HTMLElement): HTMLElement[] {
  // A live list, which browsers keep: this runs in each frame of scrolling.
  const rows = element.getElementsByTagName('article');
  const { top, bottom } = element.getBoundingClientRect();
  let [from, to] = [0, rows.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((rows[middle] as HTMLElement).getBoundingClientRect().bottom > top) to = middle;
    else from = middle + 1;
  }
  const shown: HTMLElement[] = [];
  for (let at = from; at < rows.length; at += 1) {
    const row = rows[at] as HTMLElement;
    if (row.getBoundingClientRect().top >= bottom) break;
    if (row.dataset['id'] !== undefined) shown.push(row);
  }
  return shown;
}

const idOf = (row: HTMLElement) => Number(row.dataset['id']);

function placeOf(element: HTMLElement, row: HTMLElement): Omit<Seen, 'isAtEnd'> {
  return { id: idOf(row), top: topWithin(element, row), scrollTop: element.scrollTop };
}

function topWithin(element: HTMLElement, row: HTMLElement): number {
  return row.getBoundingClientRect().top - element.getBoundingClientRect().top;
}

function distanceToEnd({ scrollHeight, scrollTop, clientHeight }: HTMLElement): number {
  return scrollHeight - scrollTop - clientHeight;
}
