import { BadRequestError } from '@parley/shared/errors';

export function scheduledMessageDoesNotExist(): BadRequestError {
  return new BadRequestError('Scheduled message does not exist', {}, 404);
}

/** Or is being sent, and nobody knows yet what becomes of it. */
export function scheduledMessageWasSent(): BadRequestError {
  return new BadRequestError('Scheduled message was already sent');
}
