/** The ids among numbers that came from outside: what no row can have is left out, as PostgreSQL would refuse to look. */
export function possibleIds(ids: readonly number[]): number[] {
  return ids.filter((id) => Number.isSafeInteger(id) && id > 0);
}

/** The texts that a row can hold. */
export function possibleTexts(texts: readonly string[]): string[] {
  return texts.filter((text) => !text.includes('\0'));
}
