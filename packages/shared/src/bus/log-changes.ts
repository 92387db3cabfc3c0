import type { Bus } from './bus';

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
