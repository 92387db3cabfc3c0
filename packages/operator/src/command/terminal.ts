import { once } from 'node:events';
import type { Terminal } from './command';

/** No terminal: nothing is printed before the end. */
export const NO_TERMINAL: Terminal = { print: async () => {}, say: () => {} };

/** The terminal of this process. Shows progress to people, and wherever it is asked for. */
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
