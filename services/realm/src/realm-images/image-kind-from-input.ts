import { BadRequestError } from '@parley/shared/errors';
import { ORGANIZATION_IMAGE_KINDS, type OrganizationImageKind } from '@parley/shared/wire';

/** Which of its pictures is meant. */
export function imageKindFromInput(text: string): OrganizationImageKind {
  const kind = ORGANIZATION_IMAGE_KINDS.find((candidate) => candidate === text);
  if (kind === undefined) throw new BadRequestError('Invalid kind of image');
  return kind;
}
