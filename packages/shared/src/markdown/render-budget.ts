import { createContext, Script } from 'node:vm';
import { BadRequestError } from '../errors';

const maxSteps = 2_000_000;
/** Making an element, writing and sanitising it takes about as long as looking at so many characters. */
const stepsPerElement = 120;
const maxHtmlLength = 100 * 10_000;
const maxForeignMs = 150;
/** It cannot be interrupted by others' turns, only ended. */
const maxForeignMsAtOnce = 40;

/**
 * The bounds of one rendering. Anything that could grow faster than its input, or is slow, is paid for here in steps, so
 * that a message is refused or not whatever else the machine is doing. Only foreign code is measured: by the processor's time.
 */
export class RenderBudget {
  private steps = 0;
  private foreignMs = 0;

  /** `steps` are roughly characters read more than once. */
  spend(steps: number): void {
    this.steps += steps;
    if (this.steps > maxSteps) this.refuse();
  }

  payForElements(count: number): void {
    this.spend(count * stepsPerElement);
  }

  /**
   * Runs a highlighter or a typesetter; null when its time, or the message's whole time for them, is up. Brief input runs without a timer,
   * which would cost more than the work.
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
/** On a busy machine the clock runs out before the processor has worked for that long: then the work begins again. */
const maxAttempts = 4;

/** Runs foreign code that may take too long for its input: null when it had so much of the processor's time, or waited too long for it. */
function runAgainstClock<T>(timeoutMs: number, work: () => T): T | null {
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
function processorMs(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

/** Work that may be interrupted after each step. */
export type Steps<Result> = Generator<void, Result>;

/** Does it in one go. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
