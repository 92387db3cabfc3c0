import type { Config } from '../config';
import type { Show } from './console-log';

/** The state of one `npm start`, shared by its parts. */
export interface RunningParts {
  readonly config: Config;
  readonly show: Show;
  /** Registers something that was started; stop() stops in reverse order. */
  onStop(stop: () => Promise<unknown>): void;
  /** From now on the console shows the services' warnings. A start that fails reports its reason itself, once. */
  markReady(): void;
  /** Stops everything that was started so far. */
  stop(): Promise<void>;
}

export function createRunningParts(config: Config, write: (line: string) => void): RunningParts {
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
      // While this is false, services may log that others are unreachable.
      isReady = false;
      for (let stop = stops.pop(); stop; stop = stops.pop()) await stop().catch(() => {});
    },
  };
}
