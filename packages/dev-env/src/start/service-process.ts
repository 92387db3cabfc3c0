import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { startGuarded } from '@parley/shared/embedded';
import { CHECKOUT } from './main-of';
import type { Running } from './supervise';

export interface ServiceProcess extends Running {
  pid: number;
  /** The address that the service reports: `host:port`. */
  address: string;
  /** The address of its metrics, if METRICS_LISTEN is set. */
  metrics: string | undefined;
}

export interface ServiceProcessOptions {
  /** The service's compiled main.js. */
  main: string;
  environment: NodeJS.ProcessEnv;
  /** Called with every line that the process prints. */
  onLine(line: string): void;
  /** Files that it requires before. */
  preload?: readonly string[];
}

type Addresses = Pick<ServiceProcess, 'address' | 'metrics'>;

/**
 * As in the image. glibc would keep freed memory for each of Node's threads, and more of it after each large piece. V8 would size the space for
 * young objects by the memory limit, one megabyte for 512, and collect garbage so often that it outlives its request.
 */
export const MEMORY_SETTINGS = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_TRIM_THRESHOLD_: '1048576',
  NODE_OPTIONS: '--max-semi-space-size=32',
};
/** In tests, which set its folder. */
const MODULE_CACHE = path.join(CHECKOUT, 'packages/dev-env/dist/start/module-cache.js');
const START_TIMEOUT_MS = 60_000;
const STOP_GRACE_MS = 4_000;
const FATAL = 60;
const THROWN = /^\w*Error(?: \[\w+\])?: /;

/** Starts a service as a separate process; resolves when it serves, rejects with its last message if it ends instead. */
export async function startServiceProcess({
  main,
  environment,
  onLine,
  preload = [],
}: ServiceProcessOptions): Promise<ServiceProcess> {
  const preloaded = environment['TEST_MODULE_CACHE'] ? [...preload, MODULE_CACHE] : preload;
  const required = preloaded.flatMap((file) => ['--require', file]);
  const service = await startGuarded(process.execPath, [...required, main], {
    env: { ...MEMORY_SETTINGS, ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const said = listenTo([service.child.stdout, service.child.stderr] as Readable[], onLine);
  const stop = () => service.stop(STOP_GRACE_MS);
  const started = new Promise<Addresses>((resolve) => {
    service.child.on('message', ({ started: address, metrics }: { started?: string; metrics?: string }) => {
      if (address !== undefined) resolve({ address, metrics });
    });
  });
  const failure = await untilFailed(started, service.closed);
  if (failure !== undefined) {
    await stop();
    throw new Error(said.reason ?? failure);
  }
  return { pid: service.pid, ...(await started), ended: service.ended, stop };
}

/** Resolves with undefined when it has started, otherwise with the reason. */
async function untilFailed(started: Promise<unknown>, closed: Promise<string>): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, START_TIMEOUT_MS, `not started within ${START_TIMEOUT_MS / 1000} s`);
  });
  const failure = await Promise.race([started.then(() => undefined), closed, late]);
  clearTimeout(timer);
  return failure;
}

interface Said {
  /** The sentence that explains why it ended, if any. */
  reason: string | undefined;
}

function listenTo(streams: Readable[], onLine: (line: string) => void): Said {
  const said: Said = { reason: undefined };
  for (const input of streams) {
    createInterface({ input }).on('line', (line) => {
      onLine(line);
      // Node tells an error that nobody caught before its place and Node's version.
      if (!THROWN.test(said.reason ?? '')) said.reason = reasonIn(line) ?? said.reason;
    });
  }
  return said;
}

/** A fatal record's error, or plain text: the one line of a service with invalid settings. */
function reasonIn(line: string): string | undefined {
  try {
    const { level, msg, err } = JSON.parse(line) as { level: number; msg: string; err?: { message: string } };
    return level >= FATAL ? `${err?.message ?? msg}`.split('\n', 1)[0] : undefined;
  } catch {
    return line.trim() || undefined;
  }
}
