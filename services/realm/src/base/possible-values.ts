/** The possible ids among input numbers; PostgreSQL would reject others with an error. */
export function possibleIds(ids: readonly number[]): number[] {
  return ids.filter((id) => Number.isSafeInteger(id) && id > 0);
}

/** The texts that PostgreSQL can store. */
export function possibleTexts(texts: readonly string[]): string[] {
  return texts.filter((text) => !text.includes('\0'));
}
