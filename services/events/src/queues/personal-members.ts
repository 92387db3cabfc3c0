import type { MessageSent } from '@parley/shared/events';
import { INDIFFERENT } from '../attention/attention';
import type { Relation } from '../fan-out/reach';
import type { LogEntry } from '../log/log-entry';
import type { Queue } from './queue';

type Personal = Record<string, unknown> & { flags?: string[] };

/** What an event has for this queue alone, its id included; null when the queue does not get it. */
export function personalMembers(queue: Queue, entry: LogEntry, relation: Relation): Personal | null {
  const { queueId, userId, isWide, view } = queue.descriptor;
  if (relation === 'stranger' || (relation === 'listener' && !isWide)) return null;
  if (!queue.acceptsType(entry.type)) return null;
  if (entry.shape.supersededBy !== undefined && queue.namesType(entry.shape.supersededBy)) return null;
  if (entry.shape.isFor?.(entry.payload, view) === false) return null;
  const attentive = queue.attention?.at(entry.id) ?? INDIFFERENT;
  const personal: Personal = entry.personalTo({ userId, queueId, ...attentive });
  if (relation !== 'receiver' && personal.flags) personal.flags = flagsWithoutCopy(entry, personal.flags);
  if (!passesNarrow(queue, entry, personal.flags)) return null;
  return { ...personal, id: entry.id };
}

/** Flags belong to the copy that a receiver has. Who only listens in has none; what was there before somebody came counts as read. */
function flagsWithoutCopy({ type }: LogEntry, flags: string[]): string[] {
  return type === 'message' ? [] : ['read', ...flags.filter((flag) => flag === 'starred' || flag === 'collapsed')];
}

/** Narrows choose among messages; other events they let pass. */
function passesNarrow({ messageFilter }: Queue, entry: LogEntry, flags: string[] = []): boolean {
  if (messageFilter === null || entry.type !== 'message') return true;
  return messageFilter((entry.payload as MessageSent).message, flags);
}
