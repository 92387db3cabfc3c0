import { createContext, Script } from 'node:vm';

const sandbox = createContext({ work: () => undefined });
const script = new Script('work()');
/** On a busy machine the clock runs out before the processor has worked for that long: then the work begins again. */
const maxAttempts = 4;

/** Runs foreign code that may take too long for its input: null when it had so much of the processor's time, or waited too long for it. */
export function runAgainstClock<T>(timeoutMs: number, work: () => T): T | null {
  sandbox['work'] = work;
  const start = process.cpuUsage();
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    try {
      return script.runInContext(sandbox, { timeout: timeoutMs }) as T;
    } catch (error) {
      if ((error as { code?: string }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      if (processorMs(start) > timeoutMs / 2) return null;
    }
  }
  return null;
}

/** Of this process, since `start`. */
export function processorMs(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}
