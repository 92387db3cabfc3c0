import type { Context } from '../context';
import type { LogEntry } from '../log/log-entry';
import { type Reading, relationIn, WEIGHT_AT_ONCE } from './collect';
import { isOffered } from './personal-members';

/** Asked about together, so that an answer with many of them takes few calls. */
const EVENTS_AT_ONCE = 250;

/** Events that something has to be asked for, and the shapes that such events may have. */
export interface Asking {
  ofShape(shape: LogEntry['shape']): boolean;
  of(entry: LogEntry): boolean;
}

/** Whose receivers' own flags on messages are needed. */
export const FLAGGED: Asking = {
  ofShape: ({ flaggedMessageId }) => flaggedMessageId !== undefined,
  of: ({ flaggedMessageId }) => flaggedMessageId !== undefined,
};

/** That tell with what channels begin. */
export const BEGUN: Asking = {
  ofShape: ({ begunChannelIds }) => begunChannelIds !== undefined,
  of: ({ lacksFirstMessages }) => lacksFirstMessages,
};

/** The next such events that a queue gets, as far as can be said at once. */
export function nextEvents(ctx: Context, reading: Reading, asking: Asking): LogEntry[] {
  const { queue, position } = reading;
  const found: LogEntry[] = [];
  let seenWeight = 0;
  for (const record of ctx.window.recordsAfter(queue.descriptor.realmId, position)) {
    if (found.length >= EVENTS_AT_ONCE || seenWeight > WEIGHT_AT_ONCE) break;
    seenWeight += record.weight;
    if (!record.shapes.some((shape) => asking.ofShape(shape) && queue.acceptsType(shape.type))) continue;
    for (const entry of record.entries) {
      if (entry.id <= position || !asking.of(entry)) continue;
      const relation = relationIn(ctx, reading, entry);
      if (relation !== undefined && isOffered(queue, entry, relation)) found.push(entry);
    }
  }
  return found;
}
