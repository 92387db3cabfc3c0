import type { Bus } from '@parley/shared/bus';

/** Timeout for other gateways; a healthy one answers immediately. */
const TIMEOUT_MS = 400;

/** The other gateways, which may reach services that this one does not. */
export interface OtherGateways {
  /** Whether another one reaches at least one of these services. False without a broker. */
  reachAny(services: readonly string[]): Promise<boolean>;
  /** Shares with the other gateways which services this one reaches. */
  answer(reached: () => Promise<ReadonlySet<string>>): void;
}

/** Asks over NATS; `bus` resolves when there is a broker, and never rejects. */
export function createOtherGateways(bus: Promise<Bus>, own: string): OtherGateways {
  let found: Bus | undefined;
  const subjectOf = ({ prefix }: Bus) => `${prefix}gateways.reached`;
  void bus.then((connected) => {
    found = connected;
  });
  return {
    async reachAny(services) {
      if (found === undefined || found.connection.isClosed()) return false;
      const request = { maxWait: TIMEOUT_MS, strategy: 'timer', maxMessages: 100 } as never;
      try {
        for await (const reply of await found.connection.requestMany(subjectOf(found), own, request)) {
          const { from, reached } = reply.json<{ from: string; reached: string[] }>();
          if (from !== own && services.some((name) => reached.includes(name))) return true;
        }
      } catch {
        // No broker: a service that this gateway does not reach may be unreachable for all.
      }
      return false;
    },
    answer(reached) {
      const tell = (connected: Bus) =>
        connected.connection.subscribe(subjectOf(connected), {
          callback: (error, message) => {
            if (error || message.string() === own) return;
            void reached().then((names) => message.respond(JSON.stringify({ from: own, reached: [...names] })));
          },
        });
      void bus.then(tell);
    },
  };
}
