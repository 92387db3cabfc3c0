import { BadRequestError } from '@parley/shared/errors';
import type { Linkifier } from '@parley/shared/proto';

/** The linkifier of that id, and all others. */
export function findLinkifier(linkifiers: readonly Linkifier[], id: number): [Linkifier, Linkifier[]] {
  const linkifier = linkifiers.find((candidate) => candidate.id === id);
  if (!linkifier) throw new BadRequestError('Linkifier not found.');
  return [linkifier, linkifiers.filter((other) => other !== linkifier)];
}
