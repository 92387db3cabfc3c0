import { randomUUID } from 'node:crypto';
import { BadRequestError } from '@parley/shared/errors';
import { LIMITS } from '@parley/shared/values';
import type { ApiRequest } from './endpoint';

/** The key that identifies a repeated request; undefined: none was sent. */
export function idempotencyKeyOf(request: Pick<ApiRequest, 'header'>): string | undefined {
  const key = request.header('idempotency-key');
  if (key !== undefined && (key === '' || key.length > LIMITS.requestKeyLength)) {
    throw new BadRequestError(`Idempotency-Key must have 1 to ${LIMITS.requestKeyLength} characters`);
  }
  return key;
}

/** The client's key, or a generated one, with which the request is repeated if its answer is lost between two processes. */
export function requestKeyOf(request: Pick<ApiRequest, 'header'>): string {
  return idempotencyKeyOf(request) ?? `gateway:${randomUUID()}`;
}
