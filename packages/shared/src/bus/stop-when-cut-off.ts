import type { ConsumerMessages } from 'nats';
import type { Bus } from './bus';

/**
 * Ends reading when the broker is back, so that the reader opens it anew: the broker may have lost data, and has forgotten readers that
 * it kept in memory, which is otherwise noticed only after seconds of silence. To be cancelled when reading has ended.
 */
export function stopOnReconnect({ connection }: Bus, messages: ConsumerMessages): { cancel(): void } {
  const changes = connection.status() as AsyncIterable<{ type: string }> & { stop?(): void };
  const follow = async () => {
    for await (const { type } of changes) if (type === 'reconnect') messages.stop();
  };
  void follow();
  return { cancel: () => changes.stop?.() };
}
