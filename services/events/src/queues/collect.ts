import type { Context } from '../context';
import type { ChannelVersion } from '../fan-out/reach';
import { relationTo } from '../fan-out/relation';
import { endOfRecord } from '../log/event-id';
import type { Answer } from './answer';
import { personalMembers } from './personal-members';
import type { Queue } from './queue';

/** How much of the log is looked at in one go; between two goes other clients get their turn. */
const WEIGHT_AT_ONCE = 4 * 1024 ** 2;

export interface Progress {
  /** Everything up to here has been looked at. */
  reached: number;
  isAtHead: boolean;
  /** Stopped, because who was subscribed to this channel has to be fetched first. */
  missing?: ChannelVersion;
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
      const personal = personalMembers(queue, entry, relation);
      if (personal) answer.add(entry.sharedText(queue.descriptor.view, ctx.counters), personal);
      if (answer.isFull) return { reached: entry.id, isAtHead: false };
    }
    seenWeight += record.weight;
    if (seenWeight > WEIGHT_AT_ONCE) return { reached: endOfRecord(record.seq), isAtHead: false };
  }
  return { reached: endOfRecord(ctx.window.head), isAtHead: true };
}
