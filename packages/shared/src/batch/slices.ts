import { setImmediate as endOfTurn } from 'node:timers/promises';
import { ServiceUnavailableError } from '../errors';

/** Maximum time that one slice may block the event loop. */
const SLICE_MS = 5;
/** The first slice ends after this number of rounds: earlier work of its turn, such as parsing the input, took time, too. */
const ROUNDS_OF_FIRST = 200;

/** Divides long work into slices: a long loop calls `pause` in each round, so that other requests are served in between. */
export class Slices {
  private startedAtMs = performance.now();
  private rounds = 0;
  private isFirst = true;

  /** `deadlineAt` (UNIX milliseconds): when the caller stops waiting for the result. */
  constructor(private readonly deadlineAt: number) {}

  /** Counts a round, and says whether the slice is used up: then comes endSlice(). For loops in which a promise for each round is too much. */
  isUsedUp(): boolean {
    this.rounds += 1;
    const isEnough = this.isFirst && this.rounds >= ROUNDS_OF_FIRST;
    return isEnough || performance.now() - this.startedAtMs >= SLICE_MS;
  }

  /** Ends the turn of the event loop once the slice is used up. Throws ServiceUnavailableError after the deadline. */
  async pause(): Promise<void> {
    if (this.isUsedUp()) await this.endSlice();
  }

  /** Ends the turn of the event loop. Throws ServiceUnavailableError after the deadline. */
  async endSlice(): Promise<void> {
    await endOfTurn();
    // NOTE: the first slice is only the last part of its turn.
    if (this.isFirst) await endOfTurn();
    this.isFirst = false;
    if (Date.now() > this.deadlineAt) throw new ServiceUnavailableError();
    this.startedAtMs = performance.now();
  }
}
