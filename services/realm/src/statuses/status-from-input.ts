import { checkEmoji, emojiMeant, UNICODE_EMOJI } from '@parley/shared/emoji';
import { BadRequestError } from '@parley/shared/errors';
import type { CustomEmoji, StatusEmoji, UpdateUserStatusRequest } from '@parley/shared/proto';
import { codePointLength, findForbiddenCharacter } from '@parley/shared/values';

const MAX_TEXT_LENGTH = 60;

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
  { emojiName, ...more }: UpdateUserStatusRequest,
  customEmoji: readonly CustomEmoji[],
): StatusEmoji | null {
  if (emojiName === undefined) {
    if (more.emojiCode === undefined && more.reactionType === undefined) return null;
    throw new BadRequestError('Client must pass emoji_name if they pass either emoji_code or reaction_type.');
  }
  if (emojiName === '') return { name: '', code: '', reactionType: UNICODE_EMOJI };
  const emoji = emojiMeant({ emojiName, ...more }, customEmoji);
  checkEmoji(emoji, customEmoji);
  return { name: emojiName, code: emoji.emojiCode, reactionType: emoji.reactionType };
}
