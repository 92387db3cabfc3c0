import { findEmojiCode, findEmojiName } from '@parley/shared/emoji';
import { BadRequestError } from '@parley/shared/errors';
import type { CustomEmoji, StatusEmoji, UpdateUserStatusRequest } from '@parley/shared/proto';
import { codePointLength, findForbiddenCharacter } from '@parley/shared/values';

const MAX_TEXT_LENGTH = 60;
const UNICODE = 'unicode_emoji';
const CUSTOM = 'realm_emoji';

export interface WantedStatus {
  statusText?: string;
  emoji?: StatusEmoji;
  isAway?: boolean;
}

/** What a request wants set: each is absent when it stays. The organization's own emoji, deactivated ones included, are given. */
export function statusFromInput(request: UpdateUserStatusRequest, customEmoji: readonly CustomEmoji[]): WantedStatus {
  const { isAway } = request;
  const text = request.statusText?.trim();
  if (text !== undefined) checkText(text);
  if (text === undefined && request.emojiName === undefined && isAway === undefined) {
    throw new BadRequestError('Client did not pass any new values.');
  }
  const emoji = emojiFromInput(request, customEmoji);
  return {
    ...(text !== undefined && { statusText: text }),
    ...(emoji && { emoji }),
    ...(isAway !== undefined && { isAway }),
  };
}

function checkText(text: string): void {
  if (codePointLength(text) > MAX_TEXT_LENGTH) {
    throw new BadRequestError(`status_text is too long (limit: ${MAX_TEXT_LENGTH} characters)`);
  }
  const position = findForbiddenCharacter(text);
  if (position !== null) throw new BadRequestError(`Invalid character in status_text, at position ${position}.`);
}

/** Null: it stays; an empty name clears it. */
function emojiFromInput(
  { emojiName: name, emojiCode, reactionType }: UpdateUserStatusRequest,
  customEmoji: readonly CustomEmoji[],
): StatusEmoji | null {
  if (name === undefined) {
    if (emojiCode === undefined && reactionType === undefined) return null;
    throw new BadRequestError('Client must pass emoji_name if they pass either emoji_code or reaction_type.');
  }
  if (name === '') return { name, code: '', reactionType: UNICODE };
  const emoji = {
    name,
    code: emojiCode ?? emojiNamed(name, customEmoji).code,
    reactionType: reactionType ?? emojiNamed(name, customEmoji).reactionType,
  };
  checkEmoji(emoji, customEmoji);
  return emoji;
}

/** What a name stands for alone; the organization's own emoji come first. */
function emojiNamed(name: string, customEmoji: readonly CustomEmoji[]): StatusEmoji {
  const custom = customEmoji.find((emoji) => emoji.name === name && !emoji.isDeactivated);
  if (custom) return { name, code: String(custom.id), reactionType: CUSTOM };
  const code = findEmojiCode(name);
  if (code === undefined) throw new BadRequestError(`Emoji '${name}' does not exist`);
  return { name, code, reactionType: UNICODE };
}

function checkEmoji({ name, code, reactionType }: StatusEmoji, customEmoji: readonly CustomEmoji[]): void {
  if (reactionType === CUSTOM) checkCustomEmoji(name, code, customEmoji);
  else if (reactionType === UNICODE) checkUnicodeEmoji(name, code);
  else throw new BadRequestError('Invalid emoji type.');
}

function checkUnicodeEmoji(name: string, code: string): void {
  if (findEmojiName(code) === undefined) throw new BadRequestError('Invalid emoji code.');
  if (findEmojiCode(name) !== code) throw new BadRequestError('Invalid emoji name.');
}

function checkCustomEmoji(name: string, code: string, customEmoji: readonly CustomEmoji[]): void {
  const custom = customEmoji.find(({ id }) => String(id) === code);
  if (!custom) throw new BadRequestError('Invalid custom emoji.');
  if (custom.name !== name) throw new BadRequestError('Invalid custom emoji name.');
  if (custom.isDeactivated) throw new BadRequestError('This custom emoji has been deactivated.');
}
