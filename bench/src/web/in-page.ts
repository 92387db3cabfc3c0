// Texts that are run in the page: this package is compiled without the browser's types.

/** Names and compressed sizes of what was loaded. */
export const LOADED_FILES = `performance.getEntriesByType('resource').map(({ name, encodedBodySize }) => ({ name, bytes: encodedBodySize }))`;

export interface LoadedFile {
  name: string;
  bytes: number;
}

/** Scrolls up as with a wheel until that many messages were there, a minute at most; counts frames. */
export const scrollUp = (messages: number) => `(async () => {
  const box = document.querySelector('.scroll');
  const ids = new Set();
  const begunAt = performance.now();
  let frames = 0;
  while (ids.size < ${messages} && performance.now() - begunAt < 60_000) {
    box.scrollTop -= 240;
    await new Promise(requestAnimationFrame);
    frames += 1;
    for (const row of box.querySelectorAll('article[data-id]')) ids.add(row.dataset.id);
  }
  return { messages: ids.size, perSecond: frames * 1000 / (performance.now() - begunAt) };
})()`;

export interface Scrolled {
  messages: number;
  perSecond: number;
}
