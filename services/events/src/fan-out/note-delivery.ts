import { type MessageSent, messageSent } from '@parley/shared/events';
import { Durations } from '@parley/shared/observability';
import type { HeldRecord } from '../log/log-record';

const durations = new Durations(
  'parley_events_delivery_seconds',
  'From a message being sent to its being written to the polls that wait for it',
);
const delivery = durations.of({});

/** The polls that waited for a record have been answered. */
export function noteDelivery({ kind, payloads }: HeldRecord, nowMs: number): void {
  if (kind !== messageSent.kind) return;
  for (const { message } of payloads as readonly MessageSent[])
    delivery.took(Math.max(0, nowMs - message.sentAtMs) / 1000);
}
