import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ensureProgram } from '@parley/shared/embedded';
import { type Browser, chromium } from 'playwright-core';

const EXECUTABLE = 'chromium';
const HOW_TO_GET_IT = 'there is no chromium in the PATH: install it (Debian: apt-get install chromium)';

/** For a `beforeAll` that may have to install it. */
export const INSTALLING_MS = 300_000;

/** Starts the browser that Debian brings. */
export async function launchChromium(args: readonly string[] = []): Promise<Browser> {
  await ensureProgram(EXECUTABLE, HOW_TO_GET_IT);
  const { stdout } = await promisify(execFile)('which', [EXECUTABLE]);
  // Where the programs in a container may do less, the browser's own walls cannot be built.
  return chromium.launch({ executablePath: stdout.trim(), args: ['--no-sandbox', ...args] });
}
