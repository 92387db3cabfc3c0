import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ensureProgram } from '@parley/shared/embedded';
import type { Browser, BrowserServer, LaunchOptions } from 'playwright-core';

const run = promisify(execFile);

const WHOLE = 'chromium';
/** Without the windows and notifications of a browser, and with a third less processor time. */
const ENGINE = 'chromium-headless-shell';
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
  return launch(await findWhole(), args);
}

/** For pages that need no more than an engine: starts the engine alone where it is installed, the whole browser elsewhere. */
export async function launchEngine(args: readonly string[] = []): Promise<Browser> {
  return launch((await find(ENGINE)) ?? (await findWhole()), args);
}

/** Starts the whole browser as a process that can be stopped and continued, to be connected to. */
export async function serveChromium(args: readonly string[] = []): Promise<BrowserServer> {
  const { chromium } = await import('playwright-core');
  return chromium.launchServer(optionsOf(await findWhole(), args));
}

async function launch(executablePath: string, args: readonly string[]): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  return chromium.launch(optionsOf(executablePath, args));
}

function optionsOf(executablePath: string, args: readonly string[]): LaunchOptions {
  // Where the programs in a container may do less, the browser's own walls cannot be built.
  return { executablePath, args: ['--no-sandbox', `--disable-features=${DISABLED_FEATURES}`, ...args] };
}

/** Installs it where it can. */
async function findWhole(): Promise<string> {
  await ensureProgram(WHOLE, HOW_TO_GET_IT);
  return (await find(WHOLE)) ?? WHOLE;
}

/** Where it is in the PATH, if it is. */
function find(program: string): Promise<string | null> {
  return run('which', [program]).then(
    ({ stdout }) => stdout.trim(),
    () => null,
  );
}
