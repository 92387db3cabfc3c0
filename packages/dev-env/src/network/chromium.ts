import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ensureProgram } from '@parley/shared/embedded';
import type { Browser, BrowserServer, LaunchOptions } from 'playwright-core';

const EXECUTABLE = 'chromium';
const HOW_TO_GET_IT = 'there is no chromium in the PATH: install it (Debian: apt-get install chromium)';

/** Windows would load two pages for the address bar, each in a process of its own: as much work as a page of ours. */
const ADDRESS_BAR = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'];

/** NOTE: only the last list of a command line counts, so this replaces Playwright's own (`disabledFeatures` in its source). */
const DISABLED_FEATURES = [
  ...ADDRESS_BAR,
  ...['HttpsUpgrades', 'HttpsFirstBalancedModeAutoEnable', 'AvoidCorsURLLoaderRestartOnRedirect'],
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'PaintHolding'],
  ...['ThirdPartyStoragePartitioning', 'LensOverlay', 'MediaRouter'],
  ...['OptimizationHints', 'NetworkTimeServiceQuerying', 'AimEnabled', 'PreconnectToSearch'],
];

/** For a `beforeAll` that may have to install it. */
export const INSTALLING_MS = 300_000;

/** Starts the browser that Debian brings. */
export async function launchChromium(args: readonly string[] = []): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  return chromium.launch(await optionsOf(args));
}

/** Starts it as a process that can be stopped and continued, to be connected to. */
export async function serveChromium(args: readonly string[] = []): Promise<BrowserServer> {
  const { chromium } = await import('playwright-core');
  return chromium.launchServer(await optionsOf(args));
}

async function optionsOf(args: readonly string[]): Promise<LaunchOptions> {
  await ensureProgram(EXECUTABLE, HOW_TO_GET_IT);
  const { stdout } = await promisify(execFile)('which', [EXECUTABLE]);
  // Where the programs in a container may do less, the browser's own walls cannot be built.
  return { executablePath: stdout.trim(), args: ['--no-sandbox', `--disable-features=${DISABLED_FEATURES}`, ...args] };
}
