import { BadRequestError } from '@parley/shared/errors';

const MAX_LENGTH = 100;

/** The name of a custom emoji that a sent text means: spaces are taken for underscores. */
export function emojiNameFromInput(text: string): string {
  const name = text.trim().replaceAll(' ', '_');
  if (name === '') throw new BadRequestError('Emoji name is missing');
  if (!/^[0-9a-z_-]+$/.test(name)) {
    throw new BadRequestError(
      'Emoji names must contain only lowercase English letters, digits, spaces, dashes, and underscores.',
    );
  }
  if (!/[0-9a-z]$/.test(name)) throw new BadRequestError('Emoji names must end with either a letter or digit.');
  if (name.length > MAX_LENGTH) throw new BadRequestError(`emoji_name is too long (limit: ${MAX_LENGTH} characters)`);
  return name;
}
