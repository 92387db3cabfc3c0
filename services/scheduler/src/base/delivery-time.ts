import { BadRequestError } from '@parley/shared/errors';
import { REFUSAL } from '@parley/shared/texts/refusals';

/** Start of the year 9999. */
const LAST_DELIVERY_MS = Date.UTC(9999, 0, 1);

/** Refuses delivery times that are past or too far away. */
export function checkDeliveryTime(deliverAtMs: number, nowMs: number): void {
  if (deliverAtMs <= nowMs) throw deliveryTimeNotInFuture();
  // SPEC-GAP: no bound is documented.
  if (deliverAtMs > LAST_DELIVERY_MS) throw new BadRequestError(REFUSAL.messages.timeTooFar);
}

/** SPEC-GAP: later API levels may have another code; none is documented. */
export function deliveryTimeNotInFuture(): BadRequestError {
  return new BadRequestError(REFUSAL.messages.timeHasPassed);
}

/** SPEC-GAP: the documents give no bounds, but each list is answered at once. Counted by user. */
export const SCHEDULE_LIMITS = { scheduledMessages: 1_000, reminders: 1_000 } as const;
