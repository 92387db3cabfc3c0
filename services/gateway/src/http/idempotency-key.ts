import { randomUUID } from 'node:crypto';
import { BadRequestError } from '@parley/shared/errors';
import type { ApiRequest } from './endpoint';

export const MAX_KEY_LENGTH = 200;

/** What makes a repeated request the same one; undefined: its sender does not care. */
export function idempotencyKeyOf(request: Pick<ApiRequest, 'header'>): string | undefined {
  const key = request.header('idempotency-key');
  if (key !== undefined && (key === '' || key.length > MAX_KEY_LENGTH)) {
    throw new BadRequestError(`Idempotency-Key must have 1 to ${MAX_KEY_LENGTH} characters`);
  }
  return key;
}

/** The client's key, or one of our own, with which the request is made again when its answer is lost between two processes. */
export function requestKeyOf(request: Pick<ApiRequest, 'header'>): string {
  return idempotencyKeyOf(request) ?? `gateway:${randomUUID()}`;
}
