/** Computed on first use, and cached. */
export function lazy<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Computed on use, and shared by uses that follow at once: for what is large and seldom needed. */
export function shared<T extends object>(make: () => T): () => T {
  let last: WeakRef<T> | undefined;
  return () => {
    const value = last?.deref() ?? make();
    last = new WeakRef(value);
    return value;
  };
}
