import { type ClientView, type MessageSent, type OwnFlags, withoutSender } from '@parley/shared/events';
import type { Relation } from '../audience/resolved-audience';
import type { Context } from '../context';
import type { LogEntry } from '../log/log-entry';
import { INDIFFERENT } from '../personal/attention';
import type { Queue } from './queue';

type Personal = Record<string, unknown> & { flags?: string[] };

/** Whether the queue gets an event, apart from narrows. For a holder this depends on whether they are a guest. */
export function isOffered(queue: Queue, entry: LogEntry, relation: Relation): boolean {
  const { isWide, view } = queue.descriptor;
  if (relation === 'stranger' || (relation === 'listener' && !isWide)) return false;
  if (relation === 'holder' && queue.attention?.isGuest !== false) return false;
  if (!queue.acceptsType(entry.type) || queue.isInState(entry)) return false;
  if (entry.shape.supersededBy !== undefined && queue.namesType(entry.shape.supersededBy)) return false;
  return entry.shape.isFor?.(entry.payload, view) !== false;
}

/**
 * The event's members for this queue only, including its id; null if the queue does not get it. `ownFlags` are its owner's on the
 * message named by the event's shape, if any.
 */
export function personalMembers(
  { departures }: Pick<Context, 'departures'>,
  queue: Queue,
  entry: LogEntry,
  relation: Relation,
  ownFlags?: OwnFlags,
): Personal | null {
  if (!isOffered(queue, entry, relation)) return null;
  const { queueId, realmId, userId } = queue.descriptor;
  const attentive = queue.attention?.at(entry.id) ?? INDIFFERENT;
  const [sentTo] = entry.audience.channels;
  const hasLeft = () => sentTo !== undefined && departures.hasLeft(realmId, sentTo, userId, entry.id);
  const personal: Personal = entry.personalTo({
    userId,
    queueId,
    ...attentive,
    hasLeft,
    ...(ownFlags && { ownFlags }),
  });
  // Flags belong to a receiver's copy: a listener has none.
  if (relation === 'listener' && entry.type === 'message') personal.flags = [];
  if (!passesNarrow(queue, entry, personal.flags)) return null;
  return { ...personal, id: entry.id };
}

/** Narrows filter messages as the queue's owner sees them; other events pass. */
function passesNarrow(queue: Queue, entry: LogEntry, flags: string[] = []): boolean {
  if (queue.messageFilter === null || entry.type !== 'message') return true;
  const { message } = entry.payload as MessageSent;
  return queue.messageFilter(viewOf(queue, entry).isActorHidden ? withoutSender(message) : message, flags);
}

/** The view of the queue's client on an event: its capabilities, and the users that its owner cannot see. */
export function viewOf({ attention, descriptor: { view } }: Queue, { shape, payload }: LogEntry): ClientView {
  if (attention === undefined || !attention.isSelective) return view;
  const actorId = shape.actorId?.(payload) ?? null;
  return actorId === null || attention.knows(actorId) ? view : { ...view, isActorHidden: true };
}
