import type { DomainEvent } from './declare-event';

/** A committed transaction, by its id in the database of a service. */
export interface EventCause {
  service: string;
  transactionId: number;
}

interface Caused {
  cause?: EventCause;
}

/**
 * For an event that only reports a consequence of an earlier change in the same service: clients whose state includes that change
 * have the consequence, too, and their queues skip the event. Not for events whose own transaction changes data as well: an
 * earlier state lacks this change. Without a cause all queues get it.
 */
export function causedBy<Event extends DomainEvent>(cause: EventCause | undefined, event: Event): Event {
  return cause ? { ...event, payload: { ...(event.payload as object), cause } } : event;
}

/** The cause in an event's payload. */
export function causeOf(payload: unknown): EventCause | undefined {
  return (payload as Caused).cause;
}
