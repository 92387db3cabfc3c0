import { BadRequestError } from '../errors';
import type { CustomEmoji, Reaction } from '../proto';
import namesByCode from './emoji-names.json';

/** Codes are hexadecimal code points joined by dashes, without variation selectors: `1f642`, `1f1fa-1f1f8`. */
const codesByName = new Map<string, string>();
const canonicalNames = new Map<string, string>();

for (const [code, names] of Object.entries(namesByCode)) {
  const [canonical = '', ...aliases] = names.split(' ');
  canonicalNames.set(code, canonical);
  for (const name of [canonical, ...aliases]) codesByName.set(name, code);
}

/** The code of a Unicode emoji by any of its names; undefined: unknown. */
export function findEmojiCode(name: string): string | undefined {
  return codesByName.get(name);
}

/** The name of a Unicode emoji whose character was typed. */
export function findEmojiName(code: string): string | undefined {
  return canonicalNames.get(code);
}

/** All Unicode emoji: names by code, the canonical one first. For clients that offer a choice. */
export function emojiNamesByCode(): Record<string, string[]> {
  return Object.fromEntries(Object.entries(namesByCode).map(([code, names]) => [code, names.split(' ')]));
}

export const UNICODE_EMOJI = 'unicode_emoji';
const CUSTOM = 'realm_emoji';
/** Type of built-in emoji that are not in Unicode: clients may name it; there are none. */
const EXTRA = /^[a-z]+_extra_emoji$/;

/** The emoji of a reaction or a status. */
export type NamedEmoji = Pick<Reaction, 'emojiName' | 'emojiCode' | 'reactionType'>;

/** The emoji of a name alone; the organization's own take precedence. Throws if there is none. */
export function emojiNamed(name: string, customEmoji: readonly CustomEmoji[]): NamedEmoji {
  const custom = customEmoji.find((emoji) => emoji.name === name && !emoji.isDeactivated);
  if (custom) return { emojiName: name, emojiCode: String(custom.id), reactionType: CUSTOM };
  const code = findEmojiCode(name);
  if (code === undefined) throw new BadRequestError(`Emoji '${name}' does not exist`);
  return { emojiName: name, emojiCode: code, reactionType: UNICODE_EMOJI };
}

/** The emoji that a client names, optionally with code and type; absent fields are derived from the name. */
export function emojiMeant(
  { emojiName, emojiCode, reactionType }: { emojiName: string; emojiCode?: string; reactionType?: string },
  customEmoji: readonly CustomEmoji[],
): NamedEmoji {
  if (emojiCode !== undefined && reactionType !== undefined) return { emojiName, emojiCode, reactionType };
  const named = emojiNamed(emojiName, customEmoji);
  return { emojiName, emojiCode: emojiCode ?? named.emojiCode, reactionType: reactionType ?? named.reactionType };
}

/** Throws unless the emoji exists and has that name. The organization's own emoji, deactivated ones included, are passed in. */
export function checkEmoji(emoji: NamedEmoji, customEmoji: readonly CustomEmoji[]): void {
  if (emoji.reactionType === CUSTOM) checkCustomEmoji(emoji, customEmoji);
  else if (emoji.reactionType === UNICODE_EMOJI) checkUnicodeEmoji(emoji);
  else throw new BadRequestError(EXTRA.test(emoji.reactionType) ? 'Invalid emoji code.' : 'Invalid emoji type.');
}

function checkUnicodeEmoji({ emojiName, emojiCode }: NamedEmoji): void {
  if (findEmojiName(emojiCode) === undefined) throw new BadRequestError('Invalid emoji code.');
  if (findEmojiCode(emojiName) !== emojiCode) throw new BadRequestError('Invalid emoji name.');
}

function checkCustomEmoji({ emojiName, emojiCode }: NamedEmoji, customEmoji: readonly CustomEmoji[]): void {
  const custom = customEmoji.find(({ id }) => String(id) === emojiCode);
  if (!custom) throw new BadRequestError('Invalid custom emoji.');
  if (custom.name !== emojiName) throw new BadRequestError('Invalid custom emoji name.');
  if (custom.isDeactivated) throw new BadRequestError('This custom emoji has been deactivated.');
}
