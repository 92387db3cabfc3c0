/**
 * Concurrent callers of the same load share it. Never serves a load that started before the request: callers that
 * arrive while one runs share the next one. A single caller never waits.
 */
export function shareLoads<Question, Result>(
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
  /** Starts when the running load has ended. */
  next?: Promise<Result>;
}
