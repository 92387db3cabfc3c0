import type { NatsConnection } from 'nats';

/** Tells the replicas of a service that there is something to do, so that none has to look all the time. */
export interface WakeChannel {
  /** False while the broker is away: then whoever waits to be woken looks by itself. */
  readonly isUp: boolean;
  /** Wakes the other replicas, and nobody when the broker is away. */
  wakeOthers(): void;
  end(): void;
}

/**
 * Opens the channel of that name. `onWake` is called when another replica wakes this one, and whenever a replica's connection to the broker
 * comes back, or this one's goes: what was told meanwhile is lost. A wake-up may be lost in other ways, too, so a sleeper looks now and then
 * all the same.
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
