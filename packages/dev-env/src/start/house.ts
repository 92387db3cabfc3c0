import type { Config } from '../config';
import type { Show } from './console-log';

/** The whole of one `npm start`, as its parts see it. */
export interface House {
  readonly config: Config;
  readonly show: Show;
  /** Called for everything that was started, in order; stop() goes backwards. */
  onStop(stop: () => Promise<unknown>): void;
  /** From now on the console shows what the services complain of. A start that fails says so itself, once. */
  markReady(): void;
  /** Stops everything that was started so far. */
  stop(): Promise<void>;
}

export function createHouse(config: Config, write: (line: string) => void): House {
  const stops: (() => Promise<unknown>)[] = [];
  let isReady = false;
  return {
    config,
    show(service, level, text) {
      if (isReady) write(`${service.padEnd(9)} ${level.padEnd(5)} ${text}\n`);
    },
    onStop(stop) {
      stops.push(stop);
    },
    markReady() {
      isReady = true;
    },
    async stop() {
      // Services may log that others are unreachable while this is false.
      isReady = false;
      for (let stop = stops.pop(); stop; stop = stops.pop()) await stop().catch(() => {});
    },
  };
}
