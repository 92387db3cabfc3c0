import { findEmojiCode, findEmojiName } from '@parley/shared/emoji';
import { BadRequestError } from '@parley/shared/errors';
import type { CustomEmoji, Reaction } from '@parley/shared/proto';

export const UNICODE = 'unicode_emoji';
const CUSTOM = 'realm_emoji';
/** Emoji that the software brings along beside Unicode's: a type that clients may name, with nothing in it. */
const EXTRA = /^[a-z]+_extra_emoji$/;

export type Emoji = Pick<Reaction, 'emojiName' | 'emojiCode' | 'reactionType'>;

/** What a name stands for alone; the organization's own emoji come first. Throws when that is nothing. */
export function emojiNamed(name: string, customEmoji: readonly CustomEmoji[]): Emoji {
  const custom = customEmoji.find((emoji) => emoji.name === name && !emoji.isDeactivated);
  if (custom) return { emojiName: name, emojiCode: String(custom.id), reactionType: CUSTOM };
  const code = findEmojiCode(name);
  if (code === undefined) throw new BadRequestError(`Emoji '${name}' does not exist`);
  return { emojiName: name, emojiCode: code, reactionType: UNICODE };
}

/** Throws unless there is such an emoji and that is its name. The organization's own emoji, deactivated ones included, are given. */
export function checkEmoji(emoji: Emoji, customEmoji: readonly CustomEmoji[]): void {
  if (emoji.reactionType === CUSTOM) checkCustomEmoji(emoji, customEmoji);
  else if (emoji.reactionType === UNICODE) checkUnicodeEmoji(emoji);
  else throw new BadRequestError(EXTRA.test(emoji.reactionType) ? 'Invalid emoji code.' : 'Invalid emoji type.');
}

function checkUnicodeEmoji({ emojiName, emojiCode }: Emoji): void {
  if (findEmojiName(emojiCode) === undefined) throw new BadRequestError('Invalid emoji code.');
  if (findEmojiCode(emojiName) !== emojiCode) throw new BadRequestError('Invalid emoji name.');
}

function checkCustomEmoji({ emojiName, emojiCode }: Emoji, customEmoji: readonly CustomEmoji[]): void {
  const custom = customEmoji.find(({ id }) => String(id) === emojiCode);
  if (!custom) throw new BadRequestError('Invalid custom emoji.');
  if (custom.name !== emojiName) throw new BadRequestError('Invalid custom emoji name.');
  if (custom.isDeactivated) throw new BadRequestError('This custom emoji has been deactivated.');
}
