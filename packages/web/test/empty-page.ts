// The parts of a browser's page that the store needs; to be imported before it.
const page = new EventTarget();
const { setTimeout: later } = globalThis;
const stored = new Map<string, string>();

Object.assign(globalThis, {
  location: new URL('http://parley.test/'),
  addEventListener: page.addEventListener.bind(page),
  // Hidden: nothing waits to be drawn.
  document: { cookie: '', hidden: true, addEventListener: page.addEventListener.bind(page) },
  // Timers end with the page.
  setTimeout: (...given: Parameters<typeof later>) => later(...given).unref(),
  sessionStorage: {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
    removeItem: (name: string) => void stored.delete(name),
  },
});
