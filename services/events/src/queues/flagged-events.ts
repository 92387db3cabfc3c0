import type { Context } from '../context';
import type { LogEntry } from '../log/log-entry';
import { type Reading, relationIn, WEIGHT_AT_ONCE } from './collect';
import { isOffered } from './personal-members';

/** Asked about together, so that an answer with many of them takes few calls. */
const EVENTS_AT_ONCE = 250;

/** The next events of a queue that its owner's own flags on messages are needed for, as far as can be said at once. */
export function flaggedEvents(ctx: Context, reading: Reading): LogEntry[] {
  const { queue, position } = reading;
  const found: LogEntry[] = [];
  let seenWeight = 0;
  for (const record of ctx.window.recordsAfter(queue.descriptor.realmId, position)) {
    if (found.length >= EVENTS_AT_ONCE || seenWeight > WEIGHT_AT_ONCE) break;
    seenWeight += record.weight;
    if (!record.shapes.some(({ type, flaggedMessageId }) => flaggedMessageId && queue.acceptsType(type))) continue;
    for (const entry of record.entries) {
      if (entry.id <= position || entry.flaggedMessageId === undefined) continue;
      const relation = relationIn(ctx, reading, entry);
      if (relation !== undefined && isOffered(queue, entry, relation)) found.push(entry);
    }
  }
  return found;
}
