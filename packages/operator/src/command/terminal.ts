import { once } from 'node:events';
import type { Terminal } from './command';

/** For output that is not a terminal: nothing is printed before the end. */
export const NO_TERMINAL: Terminal = { print: async () => {}, say: () => {} };

/** The terminal of this process. Shows progress where standard error is a terminal, or on request. */
export function openTerminal(wantsProgress: boolean): Terminal & { end(): void } {
  const { stdout, stderr } = process;
  let isLineOpen = false;
  return {
    async print(text) {
      if (!stdout.write(text)) await once(stdout, 'drain');
    },
    say(line) {
      if (!stderr.isTTY && !wantsProgress) return;
      stderr.write(stderr.isTTY ? `\r\x1b[K${line}` : `${line}\n`);
      isLineOpen = stderr.isTTY;
    },
    end() {
      if (isLineOpen) stderr.write('\n');
      isLineOpen = false;
    },
  };
}

const INTERVAL_MS = 1_000;

/** Reports progress at most once a second, with an estimate of the time left. */
export function createProgress({ say }: Pick<Terminal, 'say'>, total: number, nowMs: () => number = Date.now) {
  const beganAtMs = nowMs();
  let shownAtMs = beganAtMs;
  return (done: number): void => {
    const now = nowMs();
    if (now - shownAtMs < INTERVAL_MS && done < total) return;
    shownAtMs = now;
    say(describe(done, total, now - beganAtMs));
  };
}

function describe(done: number, total: number, elapsedMs: number): string {
  const share = total === 0 ? 100 : Math.floor((100 * done) / total);
  const left = done === 0 || done >= total ? '' : `, about ${duration((elapsedMs / done) * (total - done))} left`;
  return `${done} of ${total} (${share} %)${left}`;
}

function duration(ms: number): string {
  const secs = Math.max(1, Math.round(ms / 1_000));
  if (secs < 90) return `${secs} s`;
  const minutes = Math.round(secs / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
