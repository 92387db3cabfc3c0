import { BadRequestError } from '../errors';
import { processorMs, runAgainstClock } from './run-against-clock';

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

  /** `steps` are roughly characters looked at more than once. */
  spend(steps: number): void {
    this.steps += steps;
    if (this.steps > maxSteps) this.refuse();
  }

  payForElements(count: number): void {
    this.spend(count * stepsPerElement);
  }

  /**
   * Runs a highlighter or a formula's typesetter: null when its time, or that of all of them in this message, is up. What is brief by
   * its input runs without a clock, which costs more than such work itself.
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
