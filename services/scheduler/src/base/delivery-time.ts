import { BadRequestError } from '@parley/shared/errors';

/** The beginning of the year 9999. */
const LAST_DELIVERY_MS = Date.UTC(9999, 0, 1);

/** Throws unless something can be sent at that time. */
export function checkDeliveryTime(deliverAtMs: number, nowMs: number): void {
  if (deliverAtMs <= nowMs) throw deliveryTimeNotInFuture();
  // SPEC-GAP: no bound is documented.
  if (deliverAtMs > LAST_DELIVERY_MS) throw new BadRequestError('Scheduled delivery time is too far in the future.');
}

/** SPEC-GAP: later levels of the API may have a code of its own for it; the documents show none. */
export function deliveryTimeNotInFuture(): BadRequestError {
  return new BadRequestError('Scheduled delivery time must be in the future.');
}

/** SPEC-GAP: the documents bound neither; all of them are answered at once. Each is a count of one user's. */
export const SCHEDULE_LIMITS = { scheduledMessages: 1_000, reminders: 1_000 } as const;
