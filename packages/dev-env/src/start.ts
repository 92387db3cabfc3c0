import '@parley/shared/node-version';
import { inOneLine } from '@parley/operator/command/failures';
import { fullDiskSentence } from '@parley/shared/service';
import { type Config, loadConfig } from './config';
import { run } from './start/run';
import { createRunningParts, type RunningParts } from './start/running-parts';

const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** After this time the guards stop everything that still runs. */
const STOP_TIMEOUT_MS = 15_000;
const PARENT_CHECK_MS = 1_000;

/** `npm start`: runs everything until it is stopped. Errors are one line. */
async function main(): Promise<number> {
  let parts: RunningParts | undefined;
  try {
    const config = loadConfig();
    const stopIsWished = untilStopIsWished(config);
    parts = createRunningParts(config, (line) => process.stderr.write(line));
    const greeting = await Promise.race([run(parts), stopIsWished]);
    process.stdout.write(greeting);
    parts.markReady();
    await stopIsWished;
    return 0;
  } catch (error) {
    process.stderr.write(`npm start: ${fullDiskSentence(error) ?? inOneLine(error)}\n`);
    return 1;
  } finally {
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
    await parts?.stop();
  }
}

/** Resolves without a result. */
function untilStopIsWished({ npm_lifecycle_event: npmScript }: Config): Promise<string> {
  return new Promise((resolve) => {
    const stop = () => resolve('');
    for (const signal of STOP_SIGNALS) process.on(signal, stop);
    // npm passes on the signals it gets, but cannot do so for the one that kills it.
    const parent = process.ppid;
    if (npmScript) setInterval(() => process.ppid !== parent && stop(), PARENT_CHECK_MS).unref();
  });
}

// The reader of the output may close it; everything continues to run.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

void main().then((exitCode) => process.exit(exitCode));
