import { setImmediate as endOfTurn } from 'node:timers/promises';
import { ServiceUnavailableError } from '../errors';

/** What one piece of work may keep the event loop from everybody else. */
const SLICE_MS = 10;

/** Long work in slices: whoever loops over much calls `pause` in each round, so that other requests go on in between. */
export class Slices {
  private startedAtMs = performance.now();

  /** `deadlineAt` (UNIX milliseconds) is until when somebody waits for the result. */
  constructor(private readonly deadlineAt: number) {}

  /** Ends the turn of the event loop once the slice is used up. Throws ServiceUnavailableError after the deadline. */
  async pause(): Promise<void> {
    if (performance.now() - this.startedAtMs < SLICE_MS) return;
    await endOfTurn();
    if (Date.now() > this.deadlineAt) throw new ServiceUnavailableError();
    this.startedAtMs = performance.now();
  }
}
