import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** A server process started by this process, which ends with it. */
export interface EmbeddedServer {
  url: string;
  /** Of the server's process; for tests that kill or pause it. */
  pid: number;
  /** Resolves when the server ends, with the reason. */
  ended: Promise<string>;
  stop(): Promise<void>;
}

export interface ServerOptions {
  /** The folder of the server's data. */
  directory: string;
  /** False: gives up durability for speed and deletes the data at the end. For tests. */
  isPersistent: boolean;
  /** A port of 127.0.0.1; by default a free one. */
  port?: number | undefined;
  /** Receives the server's log lines. */
  onOutput?: ((text: string) => void) | undefined;
}

/** A child process that never outlives its parent. */
interface GuardedProcess {
  readonly pid: number;
  readonly child: ChildProcess;
  /** Resolves with how the process ended: `exit code 1`, `SIGKILL`. */
  readonly ended: Promise<string>;
  /** The same, once its output has been read to the end. */
  readonly closed: Promise<string>;
  /** Asks it to end; kills it after `graceMs`. Resolves when it has ended. */
  stop(graceMs?: number): Promise<void>;
}

interface GuardedOptions extends SpawnOptions {
  /** The signal that asks the process to end. */
  stopSignal?: 'SIGTERM' | 'SIGINT' | 'SIGQUIT';
  /** Time that it may take to end after its parent. */
  orphanGraceSecs?: number;
}

/** Waits for the end of its input, which comes with the parent's end; then stops the process as the parent would have done. */
const GUARD = `
read -r _
kill -"$2" "$1" || exit
tries=$(($3 * 10))
while [ $tries -gt 0 ] && kill -0 "$1"; do sleep 0.1; tries=$((tries - 1)); done
kill -KILL "$1"
`;

/**
 * Starts a process for `npm start` or a test. It has a separate session, so Ctrl-C in the terminal reaches only the parent,
 * which stops its children in order. A guard process stops it if the parent is killed. Rejects if the command cannot run.
 */
export async function startGuarded(
  command: string,
  args: readonly string[],
  { stopSignal = 'SIGTERM', orphanGraceSecs = 5, ...options }: GuardedOptions = {},
): Promise<GuardedProcess> {
  const child = spawn(command, args, { ...options, detached: true });
  await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject));
  const pid = child.pid as number;
  const guard = startGuard(pid, stopSignal, orphanGraceSecs);
  const untilEvent = (event: 'exit' | 'close') =>
    new Promise<string>((resolve) => {
      child.once(event, (code, signal) => resolve(signal ?? `exit code ${code}`));
    });
  const ended = untilEvent('exit');
  void ended.then(() => guard.kill('SIGKILL'));
  return {
    pid,
    child,
    ended,
    closed: untilEvent('close'),
    async stop(graceMs = 5_000) {
      const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
      child.kill(stopSignal);
      await ended;
      clearTimeout(timer);
    },
  };
}

function startGuard(pid: number, stopSignal: string, graceSecs: number): ChildProcess {
  const signal = stopSignal.replace('SIG', '');
  const guard = spawn('sh', ['-c', GUARD, 'guard', String(pid), signal, String(graceSecs)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    // A guard must not keep a folder in use.
    cwd: '/',
  });
  guard.unref();
  (guard.stdin as unknown as { unref(): void }).unref();
  return guard;
}

interface Readiness {
  /** Subject of the error's sentence. */
  name: string;
  /** The line on standard error that reports that the server is ready. */
  ready: RegExp;
  /** Finds the reason in its output if it ended instead. */
  reasonIn(output: string): string | undefined;
  timeoutMs: number;
  onOutput?: ((text: string) => void) | undefined;
}

const KEPT_CHARACTERS = 20_000;

/** Resolves when the server reports that it is ready; rejects, in one line, if it ends or stays silent. */
export async function untilReady(server: GuardedProcess, readiness: Readiness): Promise<void> {
  const { name, ready, reasonIn, timeoutMs, onOutput } = readiness;
  let output = '';
  let timer: NodeJS.Timeout | undefined;
  const isReady = new Promise<undefined>((resolve) => {
    server.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      onOutput?.(text);
      output = (output + text).slice(-KEPT_CHARACTERS);
      if (ready.test(output)) resolve(undefined);
    });
  });
  const isLate = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, `it was not ready within ${timeoutMs / 1_000} s`);
  });
  const failure = await Promise.race([isReady, isLate, server.closed]);
  clearTimeout(timer);
  if (failure === undefined) return;
  await server.stop(0);
  throw new Error(`${name} did not start: ${reasonIn(output) ?? failure}`);
}

const TIMEOUT_MS = 15_000;

/**
 * Waits until no server uses `directory` any more. After a killed start, the guards need a moment to stop the
 * servers; two servers on the same files would destroy them. Throws if one does not end.
 */
export async function untilFormerServerEnded(pidFile: string, directory: string): Promise<void> {
  const pid = readPid(pidFile);
  const giveUpAt = Date.now() + TIMEOUT_MS;
  while (pid !== undefined && commandOf(pid).includes(directory)) {
    if (Date.now() > giveUpAt) throw new Error(`process ${pid} is already working with the data in ${directory}`);
    await sleep(100);
  }
}

function readPid(pidFile: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(pidFile, 'utf8'), 10) || undefined;
  } catch {
    return undefined;
  }
}

/**
 * The command line of a process; "" if there is none. A pid alone proves nothing: after a reboot it belongs to another process.
 */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return spawnSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? '';
  }
}
