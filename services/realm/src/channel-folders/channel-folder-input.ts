import { BadRequestError } from '@parley/shared/errors';
import type { ChannelFolder } from '@parley/shared/proto';
import { codePointLength, findForbiddenCharacter, LIMITS } from '@parley/shared/values';
import { nameKey } from '../name-key';

/** The folder name that a sent text means, if none of the others has it. Archived folders keep their names. */
export function folderNameFromInput(text: string, others: readonly ChannelFolder[]): string {
  const name = text.trim();
  if (name === '') throw new BadRequestError("Channel folder name can't be empty.");
  refuseTooLong('name', name, LIMITS.channelFolderNameLength);
  const position = findForbiddenCharacter(name);
  if (position !== null)
    throw new BadRequestError(`Invalid character in channel folder name, at position ${position}.`);
  const isTaken = others.some((folder) => nameKey(folder.name) === nameKey(name));
  if (isTaken) throw new BadRequestError('Channel folder name already in use');
  return name;
}

/** The folder description that a sent text means; it may have several lines. */
export function folderDescriptionFromInput(text: string): string {
  const description = text.trim();
  refuseTooLong('description', description, LIMITS.channelFolderDescriptionLength);
  const position = findForbiddenCharacter(description.replace(/[\n\r\t]/g, ' '));
  if (position !== null) throw new BadRequestError(`Invalid character in description, at position ${position}.`);
  return description;
}

function refuseTooLong(name: string, text: string, limit: number): void {
  if (codePointLength(text) > limit) throw new BadRequestError(`${name} is too long (limit: ${limit} characters)`);
}
