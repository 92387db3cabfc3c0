import type { ServiceName } from '../../proto';
import { messagesRepeats } from './messages-repeats';
import { eventsRepeats, invitesRepeats, schedulerRepeats } from './other-repeats';
import { realmRepeats } from './realm-repeats';
import { isReadName, type Repeat } from './repeat';

/** By a method's name in the client; read-only methods by name have no line. */
const REPEATS = {
  realm: realmRepeats,
  messages: messagesRepeats,
  invites: invitesRepeats,
  events: eventsRepeats,
  scheduler: schedulerRepeats,
};

/** Whether this request may be repeated after its answer was lost. */
export function mayRepeat(service: ServiceName, method: string, request: unknown): boolean {
  const repeat = repeatOf(service, method);
  if (repeat === 'read' || repeat === 'idempotent') return true;
  if ('when' in repeat) return repeat.when(request as never);
  return 'settledBy' in repeat;
}

/** Whether a method is read-only. */
export function isRead(service: ServiceName, method: string): boolean {
  return repeatOf(service, method) === 'read';
}

/** Whether an error of a repeated request means that the first one succeeded. */
export function isSettledBy(service: ServiceName, method: string, error: unknown): boolean {
  const repeat = repeatOf(service, method);
  return typeof repeat !== 'string' && 'settledBy' in repeat && error instanceof repeat.settledBy;
}

function repeatOf(service: ServiceName, method: string): Repeat {
  if (isReadName(method)) return 'read';
  return (REPEATS[service as keyof typeof REPEATS] as Record<string, Repeat>)[method] as Repeat;
}
