/**
 * Lets everybody who asks the same at the same time wait for one load. Nobody is answered by a load that began before they asked:
 * while one runs, all who come later wait together for the next. A lone asker waits for nobody.
 */
export function joined<Question, Result>(
  load: (question: Question) => Promise<Result>,
  keyOf: (question: Question) => string | number,
): (question: Question) => Promise<Result> {
  const loads = new Map<string | number, Loads<Result>>();

  function begin(key: string | number, question: Question): Promise<Result> {
    const running = load(question);
    const entry: Loads<Result> = { running };
    loads.set(key, entry);
    const forget = () => {
      if (loads.get(key) === entry && entry.next === undefined) loads.delete(key);
    };
    running.then(forget, forget);
    return running;
  }

  return (question) => {
    const key = keyOf(question);
    const entry = loads.get(key);
    if (entry === undefined) return begin(key, question);
    const beginNext = () => begin(key, question);
    entry.next ??= entry.running.then(beginNext, beginNext);
    return entry.next;
  };
}

interface Loads<Result> {
  running: Promise<Result>;
  /** What begins when that has ended. */
  next?: Promise<Result>;
}
