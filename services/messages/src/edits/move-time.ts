// A move of many messages is one transaction: others see all of it or nothing. It ends within the time of its request or not at all, so that it
// is never answered with an error and takes place all the same.

import { BadRequestError, ServiceUnavailableError } from '@parley/shared/errors';
import { type Call, timeLeftMs } from '@parley/shared/rpc';
import { REFUSAL } from '@parley/shared/texts/refusals';

/** Their ids make up half of what the broker takes as one event. */
const MAX_MOVED = 400_000;
/** Of the request's time, for what follows the messages: history, events, notices. */
const RESERVE_MS = 2_000;
/** The same for the commit and the answer. */
const COMMIT_MS = 500;
/** The pace of less time may be that of a disk that was busy for a moment. */
const PACE_MS = 4_000;

/**
 * Messages written by one statement: in between, others get their turn, and the time is checked. NOTE: for each row of an update that changes
 * no generated column's input, PostgreSQL 18 reads the expressions of these columns again, and keeps 3 kB until the statement ends.
 */
export const SLICE = 2_000;

interface Progress {
  leftMs: number;
  /** Since the first message was written. */
  spentMs: number;
  written: number;
  total: number;
}

/** Whether the rest will be written in time, at the pace so far. */
export function willEndInTime({ leftMs, spentMs, written, total }: Progress): boolean {
  const neededMs = spentMs > PACE_MS && written > 0 ? (spentMs / written) * (total - written) : 0;
  return neededMs + RESERVE_MS <= leftMs;
}

/** Throws for more messages than one event can name. */
export function checkCount(messages: number): void {
  if (messages > MAX_MOVED) throw tooMany();
}

/** The time that one of a move's statements may take. */
export function statementLimitMs(call: Pick<Call, 'deadlineAt'>): number {
  return Math.max(1, timeLeftMs(call) - RESERVE_MS);
}

/** The time of a move's request, while its messages are written. */
export class MoveTime {
  /** What was left of it before the first message. */
  #begunLeftMs: number | undefined;

  constructor(
    private readonly call: Pick<Call, 'deadlineAt'>,
    private readonly total: number,
  ) {}

  /** To be called before each part of the messages; throws if the time will not suffice for the rest. */
  check(written: number): void {
    const leftMs = timeLeftMs(this.call);
    this.#begunLeftMs ??= leftMs;
    const spentMs = this.#begunLeftMs - leftMs;
    if (!willEndInTime({ leftMs, spentMs, written, total: this.total })) throw tooMany();
  }
}

/** Called before the commit; throws if the caller will not get the answer. A move of few messages has waited for others, and may be repeated. */
export function requireTimeToCommit(call: Pick<Call, 'deadlineAt'>, messages: number): void {
  if (timeLeftMs(call) < COMMIT_MS) throw messages > SLICE ? tooMany() : new ServiceUnavailableError();
}

/** A statement that took longer than statementLimitMs() becomes the refusal. */
export async function orTooMany<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw (error as { code?: string }).code === CANCELED ? tooMany() : error;
  }
}

const CANCELED = '57014';

function tooMany(): BadRequestError {
  return new BadRequestError(REFUSAL.messages.tooManyToMove);
}
