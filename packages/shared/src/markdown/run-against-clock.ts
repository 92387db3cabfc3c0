import { createContext, Script } from 'node:vm';

const sandbox = createContext({ work: () => undefined });
const script = new Script('work()');

/** Runs foreign code that may take too long for its input: null when the time is up. */
export function runAgainstClock<T>(timeoutMs: number, work: () => T): T | null {
  sandbox['work'] = work;
  try {
    return script.runInContext(sandbox, { timeout: timeoutMs }) as T;
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return null;
    throw error;
  }
}
