import type { GuardedProcess } from './guarded-process';

export interface Readiness {
  /** Subject of the error's sentence. */
  name: string;
  /** What the server says on standard error when it is ready. */
  ready: RegExp;
  /** What in its output explains that it ended instead. */
  reasonIn(output: string): string | undefined;
  timeoutMs: number;
  onOutput?: ((text: string) => void) | undefined;
}

const KEPT_CHARACTERS = 20_000;

/** Resolves when the server says that it is ready; rejects, in one line, when it ends or stays silent instead. */
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
