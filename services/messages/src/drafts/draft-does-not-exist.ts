import { BadRequestError } from '@parley/shared/errors';

export function draftDoesNotExist(): BadRequestError {
  return new BadRequestError('Draft does not exist', {}, 404);
}
