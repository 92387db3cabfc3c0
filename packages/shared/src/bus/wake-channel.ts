import type { NatsConnection } from 'nats';

/** Wakes the replicas of a service when there is work, so that they need not poll frequently. */
export interface WakeChannel {
  /** False while the broker is unreachable: replicas must poll then. */
  readonly isUp: boolean;
  /** Wakes the other replicas; no effect while the broker is unreachable. */
  wakeOthers(): void;
  end(): void;
}

/**
 * Opens the channel of that name. `onWake` is called when another replica wakes this one, and whenever a replica's connection to
 * the broker is restored, or this one's is lost, since wake-ups in between are lost. They may be lost in other ways, too, so
 * replicas also poll at long intervals.
 */
export function openWakeChannel(bus: { connection: NatsConnection }, subject: string, onWake: () => void): WakeChannel {
  const { connection } = bus;
  let isUp = true;
  const subscription = connection.subscribe(subject, { callback: () => onWake() });
  const changes = connection.status() as AsyncIterable<{ type: string }> & { stop?(): void };
  const follow = async () => {
    for await (const { type } of changes) {
      if (type !== 'disconnect' && type !== 'reconnect') continue;
      isUp = type === 'reconnect';
      onWake();
      if (isUp) wakeOthers();
    }
  };
  void follow();

  function wakeOthers(): void {
    if (!connection.isClosed()) connection.publish(subject);
  }

  return {
    get isUp() {
      return isUp;
    },
    wakeOthers,
    end() {
      changes.stop?.();
      subscription.unsubscribe();
    },
  };
}
