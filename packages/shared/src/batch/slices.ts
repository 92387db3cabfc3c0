import { setImmediate as endOfTurn } from 'node:timers/promises';
import { ServiceUnavailableError } from '../errors';

/** Longest time that one slice of work may block the event loop. */
const SLICE_MS = 5;
/** So many rounds end the first slice: what its turn did before, as reading what the rounds are about, took its time too. */
const ROUNDS_OF_FIRST = 200;

/** Divides long work into slices: a long loop calls `pause` in each round, so that other requests get their turn. */
export class Slices {
  private startedAtMs = performance.now();
  private rounds = 0;
  private isFirst = true;

  /** `deadlineAt` (UNIX milliseconds): when the caller stops waiting for the result. */
  constructor(private readonly deadlineAt: number) {}

  /** Ends the turn of the event loop once the slice is used up. Throws ServiceUnavailableError after the deadline. */
  async pause(): Promise<void> {
    this.rounds += 1;
    const isEnough = this.isFirst && this.rounds === ROUNDS_OF_FIRST;
    if (!isEnough && performance.now() - this.startedAtMs < SLICE_MS) return;
    await endOfTurn();
    // NOTE: of the turn in which the first slice began, this is but the last phase.
    if (this.isFirst) await endOfTurn();
    this.isFirst = false;
    if (Date.now() > this.deadlineAt) throw new ServiceUnavailableError();
    this.startedAtMs = performance.now();
  }
}
