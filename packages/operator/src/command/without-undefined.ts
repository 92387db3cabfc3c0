type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The defined fields: a request omits the others. */
export function withoutUndefined<T extends object>(fields: T): Given<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>;
}
