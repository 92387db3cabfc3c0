import namesByCode from './emoji-names.json';

/** Codes are hexadecimal code points joined by dashes, without variation selectors: `1f642`, `1f1fa-1f1f8`. */
const codesByName = new Map<string, string>();
const canonicalNames = new Map<string, string>();

for (const [code, names] of Object.entries(namesByCode)) {
  const [canonical = '', ...aliases] = names.split(' ');
  canonicalNames.set(code, canonical);
  for (const name of [canonical, ...aliases]) codesByName.set(name, code);
}

/** The code of a Unicode emoji by any of its names; undefined when there is none. */
export function findEmojiCode(name: string): string | undefined {
  return codesByName.get(name);
}

/** The name by which a Unicode emoji goes when its author typed the character. */
export function findEmojiName(code: string): string | undefined {
  return canonicalNames.get(code);
}

/** Every Unicode emoji there is: its names by its code, the canonical one first. For clients that offer a choice. */
export function emojiNamesByCode(): Record<string, string[]> {
  return Object.fromEntries(Object.entries(namesByCode).map(([code, names]) => [code, names.split(' ')]));
}
