// A move of many messages is one transaction: others see all of it or nothing. It ends within the time of its request or not at all, so that it
// is never answered with an error and takes place all the same.

import { BadRequestError } from '@parley/shared/errors';
import { type Call, timeLeftMs } from '@parley/shared/rpc';
import { REFUSAL } from '@parley/shared/texts/refusals';

/** Their ids make up half of what the broker takes as one event. */
const MAX_MOVED = 400_000;
/** Of the request's time, for what follows the messages: history, events, notices. */
const RESERVE_MS = 2_000;
/** The same for the commit and the answer. */
const COMMIT_MS = 500;
/** The pace of less time may be that of one slow disk access. */
const PACE_MS = 2_000;

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

/** The time of a move's request. */
export class MoveTime {
  readonly #begunLeftMs: number;

  constructor(
    private readonly call: Pick<Call, 'deadlineAt'>,
    private readonly total: number,
  ) {
    this.#begunLeftMs = timeLeftMs(call);
  }

  /** For a statement on all of the messages. */
  get statementMs(): number {
    return Math.max(1, timeLeftMs(this.call) - RESERVE_MS);
  }

  /** Throws if there will not be enough of it. */
  check(written: number): void {
    const leftMs = timeLeftMs(this.call);
    const spentMs = this.#begunLeftMs - leftMs;
    if (!willEndInTime({ leftMs, spentMs, written, total: this.total })) throw tooMany();
  }
}

/** Called before the commit; throws if the caller will not get the answer. */
export function requireTimeToCommit(call: Pick<Call, 'deadlineAt'>): void {
  if (timeLeftMs(call) < COMMIT_MS) throw tooMany();
}

/** A statement that took longer than `statementMs` becomes the refusal. */
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
