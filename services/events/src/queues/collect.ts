import type { Context } from '../context';
import type { ChannelVersion, Relation } from '../fan-out/reach';
import { relationTo } from '../fan-out/relation';
import { endOfRecord } from '../log/event-id';
import type { LogEntry } from '../log/log-entry';
import type { Answer } from './answer';
import { personalMembers } from './personal-members';
import type { Queue } from './queue';
import { viewOf } from './view-of';

/** How much of the log is looked at in one go; between two goes other clients get their turn. */
const WEIGHT_AT_ONCE = 4 * 1024 ** 2;

export interface Progress {
  /** Everything up to here has been looked at. */
  reached: number;
  isAtHead: boolean;
  /** Stopped, because this has to be fetched first: who was subscribed to a channel, or what the queue's owner pays attention to. */
  missing?: ChannelVersion | 'attention';
}

/** Adds to an answer what the queue gets behind `position`, as far as can be said at once. */
export function collect(ctx: Context, queue: Queue, position: number, answer: Answer): Progress {
  const { realmId, userId } = queue.descriptor;
  let seenWeight = 0;
  for (const record of ctx.window.recordsAfter(realmId, position)) {
    if (!record.shapes.some(({ type }) => queue.acceptsType(type))) continue;
    for (const entry of record.entries) {
      if (entry.id <= position) continue;
      const relation = relationTo(ctx.subscribers, realmId, userId, entry.reach);
      if (typeof relation === 'object') return { reached: entry.id - 1, isAtHead: false, missing: relation };
      if (isAttentionMissing(queue, entry, relation)) {
        return { reached: entry.id - 1, isAtHead: false, missing: 'attention' };
      }
      const personal = personalMembers(queue, entry, relation);
      if (personal) answer.add(entry, viewOf(queue, entry), personal);
      if (answer.isFull) return { reached: entry.id, isAtHead: false };
    }
    seenWeight += record.weight;
    if (seenWeight > WEIGHT_AT_ONCE) return { reached: endOfRecord(record.seq), isAtHead: false };
  }
  return { reached: endOfRecord(ctx.window.head), isAtHead: true };
}

function isAttentionMissing(queue: Queue, { shape, type }: LogEntry, relation: Relation): boolean {
  const isOfInterest = shape.personal !== undefined || shape.actorId !== undefined;
  return queue.attention === undefined && isOfInterest && relation !== 'stranger' && queue.acceptsType(type);
}
