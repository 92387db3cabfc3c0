import type { ClientView } from '@parley/shared/events';
import type { LogEntry } from '../log/log-entry';
import type { Queue } from './queue';

/** How the queue's client sees an event: as it has said, and without whom its user may not know. */
export function viewOf({ attention, descriptor: { view } }: Queue, { shape, payload }: LogEntry): ClientView {
  if (attention === undefined || !attention.isSelective) return view;
  const actorId = shape.actorId?.(payload) ?? null;
  return actorId === null || attention.knows(actorId) ? view : { ...view, isActorHidden: true };
}
