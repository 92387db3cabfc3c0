import { randomUUID } from 'node:crypto';
import type { StreamInfo } from 'nats';
import type { Bus } from './bus';

/** Identifies a log: a stream that was created anew, or has lost records already read, is another log. */
export function epochOf({ created, config }: StreamInfo): string {
  return `${created} ${config.description ?? ''}`.trim();
}

/**
 * Marks that the broker lost records which were already read (its acknowledgement does not survive a crash of the machine): their numbers
 * are assigned again, so positions beyond them are invalid. The mark makes every reader see another log. Called by the first process that
 * notices; several marks at once stand for the same loss.
 */
export async function markRewound(bus: Bus, { state }: StreamInfo): Promise<StreamInfo> {
  const description = `rewound to ${state.last_seq} (${randomUUID()})`;
  // NOTE: only this field: another process may change other fields at the same time.
  return await bus.jsm.streams.update(bus.stream, { description });
}

/**
 * Calls `onChange` when the log's stream is created, changed or deleted, which the broker announces. Readers also check now and then
 * themselves: one that was disconnected, or may not subscribe to the announcements, misses them.
 */
export function followLogChanges({ connection, stream }: Bus, onChange: () => void): { stop(): void } {
  const subscription = connection.subscribe(`$JS.EVENT.ADVISORY.STREAM.*.${stream}`, {
    callback: (error) => {
      if (!error) onChange();
    },
  });
  return { stop: () => subscription.unsubscribe() };
}
