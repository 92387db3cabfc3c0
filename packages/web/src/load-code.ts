/** What has come, or is on its way: what the page names, too. */
const coming = new Map<string, Promise<unknown>>(
  [...document.querySelectorAll('link')].map(({ href }) => [href, Promise.resolve()]),
);

/**
 * Stands in for Vite's own helper around each import() of the client: the code's files come first, by requests that can be repeated, and
 * `take` imports them from the browser's cache. A module that did not come once never comes in Firefox, until the page is loaded anew.
 * `files`: of the code, of all that it imports, and of its styles; below the client's base. Rejects if one of them does not come: the same
 * code can be asked for again.
 */
export async function loadCode<Part>(take: () => Promise<Part>, files: readonly string[] = []): Promise<Part> {
  await Promise.all(files.map((file) => come(new URL(`${import.meta.env.BASE_URL}${file}`, location.href).href)));
  return take();
}

function come(url: string): Promise<unknown> {
  const known = coming.get(url);
  if (known) return known;
  const begun = url.endsWith('.css') ? addStyles(url) : fetchWhole(url);
  coming.set(url, begun);
  begun.catch(() => coming.delete(url));
  return begun;
}

async function fetchWhole(url: string): Promise<void> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url} was answered with ${answer.status}`);
  await answer.blob();
}

function addStyles(href: string): Promise<unknown> {
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', crossOrigin: '', href });
  const added = new Promise((resolve, reject) => {
    link.onload = resolve;
    link.onerror = () => {
      link.remove();
      reject(new Error(`${href} did not come`));
    };
  });
  document.head.append(link);
  return added;
}
