import { BadRequestError } from '@parley/shared/errors';

export function snippetDoesNotExist(): BadRequestError {
  return new BadRequestError('Saved snippet does not exist.', {}, 404);
}
