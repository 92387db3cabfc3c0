import { BadRequestError } from '@parley/shared/errors';

/** There never was one, it is another organization's, it has expired, was revoked or used: nobody is told which. */
export function noSuchInvitation(): BadRequestError {
  return new BadRequestError('No such invitation');
}
