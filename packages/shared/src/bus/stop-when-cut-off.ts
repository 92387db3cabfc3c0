import { ConsumerEvents, type ConsumerMessages } from 'nats';
import type { Bus } from './bus';

/**
 * Ends reading when the broker is back, or has said nothing for two heartbeats, so that the reader opens it anew. The broker may have
 * lost data, and has forgotten readers that it kept in memory; of several servers the one that kept this reader may be away, which
 * nats.js would wait for. To be cancelled when reading has ended.
 */
export function stopWhenCutOff({ connection }: Bus, messages: ConsumerMessages): { cancel(): void } {
  const changes = connection.status() as AsyncIterable<{ type: string }> & { stop?(): void };
  const follow = async () => {
    for await (const { type } of changes) if (type === 'reconnect') messages.stop();
  };
  // Ends with the messages.
  const listen = async () => {
    for await (const { type } of await messages.status())
      if (type === ConsumerEvents.HeartbeatsMissed) messages.stop(new Error('the broker has fallen silent'));
  };
  void follow();
  void listen();
  return { cancel: () => changes.stop?.() };
}
