// Texts that are run in the page: this package is compiled without the browser's types.

/** Names and compressed sizes of what was loaded. */
export const LOADED_FILES = `performance.getEntriesByType('resource').map(({ name, encodedBodySize }) => ({ name, bytes: encodedBodySize }))`;

export interface LoadedFile {
  name: string;
  bytes: number;
}

/** Scrolls up as with a wheel until that many messages were there, a minute at most; counts frames. Looks at rows that were added only. */
export const scrollUp = (messages: number) => `(async () => {
  const box = document.querySelector('.scroll');
  const ids = new Set();
  const note = (node) => node instanceof HTMLElement && node.matches('article[data-id]') && ids.add(node.dataset.id);
  for (const row of box.querySelectorAll('article[data-id]')) note(row);
  const observer = new MutationObserver((changes) => changes.forEach(({ addedNodes }) => addedNodes.forEach(note)));
  observer.observe(box.firstElementChild, { childList: true });
  const begunAt = performance.now();
  let frames = 0;
  while (ids.size < ${messages} && performance.now() - begunAt < 60_000) {
    box.scrollTop -= 240;
    await new Promise(requestAnimationFrame);
    frames += 1;
  }
  observer.disconnect();
  return { messages: ids.size, perSecond: frames * 1000 / (performance.now() - begunAt) };
})()`;

export interface Scrolled {
  messages: number;
  perSecond: number;
}
