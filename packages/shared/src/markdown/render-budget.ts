import { createContext, Script } from 'node:vm';
import { BadRequestError } from '../errors';

const maxSteps = 2_000_000;
/** Creating, writing and sanitizing an element takes about as long as reading this number of characters. */
const stepsPerElement = 120;
const maxHtmlLength = 100 * 10_000;
const maxForeignMs = 150;
/** Third-party code cannot be interrupted for other work, only aborted. */
const maxForeignMsAtOnce = 40;

/**
 * The limits of one rendering. Work that is slow, or could grow faster than its input, costs steps, so
 * that acceptance of a message does not depend on the machine's load. Only third-party code is limited by CPU time.
 */
export class RenderBudget {
  private steps = 0;
  private foreignMs = 0;

  /** `steps` are roughly characters that are read more than once. */
  spend(steps: number): void {
    this.steps += steps;
    if (this.steps > maxSteps) this.refuse();
  }

  payForElements(count: number): void {
    this.spend(count * stepsPerElement);
  }

  /**
   * Runs a highlighter or a typesetter; null when its time limit, or the message's total one, is exceeded. Short input runs
   * without a timer, which would cost more than the work.
   */
  runForeign<T>(work: () => T, isBrief = false): T | null {
    const leftMs = Math.ceil(Math.min(maxForeignMsAtOnce, maxForeignMs - this.foreignMs));
    if (leftMs <= 0) return null;
    const start = process.cpuUsage();
    try {
      return isBrief ? work() : runAgainstClock(leftMs, work);
    } finally {
      this.foreignMs += processorMs(start);
    }
  }

  checkSize(html: string): void {
    if (html.length > maxHtmlLength) this.refuse();
  }

  refuse(): never {
    throw new BadRequestError('Unable to render message');
  }
}

const sandbox = createContext({ work: () => undefined });
const script = new Script('work()');
/** On a busy machine the timer fires before most of that CPU time was used: then the work starts again. */
const maxAttempts = 4;
/** Of the time limit. Work that used more was too slow; less may be the garbage collector's, whose threads count, too. */
const exhaustedShare = 0.75;

/** Runs third-party code that may be too slow for its input: null if it exceeded its CPU time, or waited too long for it. */
function runAgainstClock<T>(timeoutMs: number, work: () => T): T | null {
  sandbox['work'] = work;
  const start = process.cpuUsage();
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    try {
      return script.runInContext(sandbox, { timeout: timeoutMs }) as T;
    } catch (error) {
      if ((error as { code?: string }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      if (processorMs(start) > timeoutMs * exhaustedShare) return null;
    }
  }
  return null;
}

/** CPU time of this process, since `start`. */
function processorMs(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

/** Work that can be interrupted after each step. */
export type Steps<Result> = Generator<void, Result>;

/** Runs it without interruption. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
