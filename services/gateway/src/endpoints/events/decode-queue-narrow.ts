import type { QueueNarrowTerm } from '@parley/shared/proto';
import { z } from 'zod';
import { check } from '../../http/parameters';

/** Queues know a smaller language than searches: pairs of texts. */
export const queueNarrowSchema = z
  .array(z.array(z.string()).length(2))
  .max(100)
  .default([])
  .describe('Pairs of operator and operand that `message` events must all meet.');

/** A queue's narrow, by today's names. */
export function decodeQueueNarrow(name: string, value: unknown): QueueNarrowTerm[] {
  return check(queueNarrowSchema, name, value).map((pair) => {
    const [operator, operand] = pair as [string, string];
    return {
      operator: operator === 'stream' ? 'channel' : operator,
      operand: operator === 'is' && operand === 'private' ? 'dm' : operand,
    };
  });
}
