import { BadRequestError } from '@parley/shared/errors';
import type { ProfileField } from '@parley/shared/proto';

/** The field of that id. */
export function findProfileField(fields: readonly ProfileField[], id: number): ProfileField {
  const field = fields.find((candidate) => candidate.id === id);
  if (!field) throw new BadRequestError(`Field id ${id} not found.`);
  return field;
}
