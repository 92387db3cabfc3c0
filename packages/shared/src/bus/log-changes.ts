import { randomUUID } from 'node:crypto';
import type { StreamInfo } from 'nats';
import type { Bus } from './bus';

/** Identifies a log: a recreated stream, or one that has lost records already read, is another log. */
export function epochOf({ created, config }: StreamInfo): string {
  return `${created} ${config.description ?? ''}`.trim();
}

/**
 * Marks that the broker lost records which were already read (its acknowledgement does not survive a crash of the machine): their
 * numbers are assigned again, so positions beyond them are invalid. The mark makes the log another one for every reader. Called
 * by the first process that detects the loss; concurrent marks stand for the same loss.
 */
export async function markRewound(bus: Bus, { state }: StreamInfo): Promise<StreamInfo> {
  const description = `rewound to ${state.last_seq} (${randomUUID()})`;
  // NOTE: only this field, because another process may change other fields concurrently.
  return await bus.jsm.streams.update(bus.stream, { description });
}

/**
 * Calls `onChange` when the log's stream is created, changed or deleted, which the broker announces. Readers also check
 * periodically: they miss announcements while disconnected, or without the permission to subscribe to them.
 */
export function followLogChanges({ connection, stream }: Bus, onChange: () => void): { stop(): void } {
  const subscription = connection.subscribe(`$JS.EVENT.ADVISORY.STREAM.*.${stream}`, {
    callback: (error) => {
      if (!error) onChange();
    },
  });
  return { stop: () => subscription.unsubscribe() };
}
