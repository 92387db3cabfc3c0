import { randomUUID } from 'node:crypto';
import type { StreamInfo } from 'nats';
import type { Bus } from './bus';

/** Which log a stream is: another one when it was made anew, or has lost records that somebody knew already. */
export function epochOf({ created, config }: StreamInfo): string {
  return `${created} ${config.description ?? ''}`.trim();
}

/**
 * The broker lost records that were known already (its acknowledgement does not survive a crash of the machine): their numbers
 * are given again, so positions beyond them mean nothing any more. The stream is marked, so that everybody sees another log. Called by
 * whoever notices first; when several do at once, each mark stands for the same loss.
 */
export async function markRewound(bus: Bus, { state }: StreamInfo): Promise<StreamInfo> {
  const description = `rewound to ${state.last_seq} (${randomUUID()})`;
  // NOTE: only this field: somebody else may change another one at the same time.
  return await bus.jsm.streams.update(bus.stream, { description });
}

/**
 * Calls `onChange` when somebody has made, changed or deleted the log's stream, which the broker tells of. A reader that was cut off
 * from the broker misses it, and one whom the broker does not let listen hears nothing: they look by themselves now and then.
 */
export function followLogChanges({ connection, stream }: Bus, onChange: () => void): { stop(): void } {
  const subscription = connection.subscribe(`$JS.EVENT.ADVISORY.STREAM.*.${stream}`, {
    callback: (error) => {
      if (!error) onChange();
    },
  });
  return { stop: () => subscription.unsubscribe() };
}
