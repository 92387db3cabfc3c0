/** Where the focus was in a list. */
interface Kept {
  element: Element;
  /** What the control is called, as those of other lines are. */
  name: string;
  at: number;
  /** The list, and what it is part of up to the view. */
  around: Element[];
}

let kept: Kept | null = null;

/** A line that goes with the control in focus, such as a draft that is deleted, hands the focus to its neighbor. */
export function keepFocus(): void {
  document.addEventListener('focusin', ({ target }) => {
    const element = target as Element;
    // Who clicks does not look for the focus.
    kept = element.matches(':focus-visible') ? keptOf(element) : null;
  });
  new MutationObserver(restore).observe(document.body, { childList: true, subtree: true });
}

function keptOf(element: Element): Kept | null {
  const line = element.closest('main li');
  const list = line?.parentElement;
  if (!line || !list) return null;
  const around: Element[] = [];
  for (let each: Element | null = list; each && each.tagName !== 'MAIN'; each = each.parentElement) around.push(each);
  return { element, name: nameOf(element), at: [...list.children].indexOf(line), around };
}

function restore(): void {
  if (!kept || kept.element.isConnected) return;
  const { name, at, around } = kept;
  kept = null;
  if (document.activeElement !== document.body) return;
  // Somebody who has gone elsewhere is in another view.
  const left = around.find((each) => each.isConnected);
  if (!left) return;
  const line = left === around[0] ? (left.children[at] ?? left.lastElementChild) : null;
  const controls = [...(line ?? left).querySelectorAll<HTMLElement>('a[href], button')];
  (controls.find((each) => nameOf(each) === name) ?? controls[0])?.focus();
}

const nameOf = (element: Element) => element.getAttribute('aria-label') ?? element.textContent ?? '';
