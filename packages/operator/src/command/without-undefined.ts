type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The fields that were given: what is absent stays out of a request. */
export function withoutUndefined<T extends object>(fields: T): Given<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>;
}
