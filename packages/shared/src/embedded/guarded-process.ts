import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';

/** A child process that never outlives its parent, however that ends. */
export interface GuardedProcess {
  readonly pid: number;
  readonly child: ChildProcess;
  /** Resolves with how the process ended: `exit code 1`, `SIGKILL`. */
  readonly ended: Promise<string>;
  /** The same, once its output has been read to the end. */
  readonly closed: Promise<string>;
  /** Asks it to end; kills it after `graceMs`. Resolves when it has ended. */
  stop(graceMs?: number): Promise<void>;
}

export interface GuardedOptions extends SpawnOptions {
  /** What asks the process to end. */
  stopSignal?: 'SIGTERM' | 'SIGINT' | 'SIGQUIT';
  /** How long it may take to end when its parent is gone. */
  orphanGraceSecs?: number;
}

/** Waits for the end of its input, which comes with the parent's end; then does for the process what the parent would have done. */
const GUARD = `
read -r _
kill -"$2" "$1" || exit
tries=$(($3 * 10))
while [ $tries -gt 0 ] && kill -0 "$1"; do sleep 0.1; tries=$((tries - 1)); done
kill -KILL "$1"
`;

/**
 * Starts a process for `npm start` or a test. It has a session of its own: a Ctrl-C in the terminal reaches the parent alone,
 * which stops its children in order; beside it a guard waits for the day when the parent is killed. Rejects when the command cannot run.
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
    // A guard must not keep anybody's folder busy.
    cwd: '/',
  });
  guard.unref();
  (guard.stdin as unknown as { unref(): void }).unref();
  return guard;
}
