import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Clock, monotonicClock } from '@parley/shared/values';
import type { Context } from '../context';
import type { PendingPoll } from './pending-poll';
import type { PollAnswer, SharedAnswers } from './poll-answer';

/** Answers per second of this pod at which pauses begin, and at which they reach their maximum. */
const [BEGIN_PER_SECOND, LONGEST_PER_SECOND] = [100, 1_000] as const;
/** Pauses end in steps, so that all polls share one timer. */
const STEP_MS = 5;
/** Number of polls that continue in one turn of the event loop. */
const POLLS_AT_ONCE = 300;

/** The current pause between two answers of a queue. */
export function pauseMsAt(answersPerSecond: number, longestMs: number): number {
  const share = (answersPerSecond - BEGIN_PER_SECOND) / (LONGEST_PER_SECOND - BEGIN_PER_SECOND);
  return Math.min(1, Math.max(0, share)) * longestMs;
}

/** A moving average, which is reduced to a third each second. */
export class AnswerRate {
  #perSecond = 0;
  #countedAtMs = 0;

  count(nowMs: number): void {
    this.#perSecond = this.at(nowMs) + 1;
    this.#countedAtMs = nowMs;
  }

  at(nowMs: number): number {
    return this.#perSecond * Math.exp((this.#countedAtMs - nowMs) / 1_000);
  }
}

interface PauseOptions {
  longestMs: number;
  clock?: Clock | undefined;
}

/**
 * On a busy pod a queue that was just answered is answered again after a short pause, with all events of the pause: one answer,
 * and one request of the client, for many events. The poll is handled when its pause is over, as if it had arrived then.
 */
export class DeliveryPauses {
  readonly #clock: Clock;
  readonly #rate = new AnswerRate();
  /** Callbacks at the end of each step. */
  readonly #waiting = new Map<number, (() => void)[]>();

  constructor(private readonly options: PauseOptions) {
    this.#clock = options.clock ?? monotonicClock;
  }

  /** A poll is answered with events; returns the time of this clock. */
  noteAnswer(): number {
    const nowMs = this.#clock.now();
    this.#rate.count(nowMs);
    return nowMs;
  }

  /** Resolves when a queue that was answered at `answeredAtMs` may be answered again; undefined: it may be now. */
  afterAnswer(answeredAtMs: number | undefined): Promise<void> | undefined {
    if (answeredAtMs === undefined) return undefined;
    const nowMs = this.#clock.now();
    const dueMs = answeredAtMs + pauseMsAt(this.#rate.at(nowMs), this.options.longestMs);
    const step = Math.floor(dueMs / STEP_MS);
    return step * STEP_MS <= nowMs ? undefined : new Promise((goOn) => this.#add(step, goOn));
  }

  /** Whether no poll is paused. */
  async idle(): Promise<void> {
    while (this.#waiting.size > 0) await new Promise<void>((goOn) => this.#clock.after(STEP_MS, goOn));
  }

  #add(step: number, goOn: () => void): void {
    if (this.#waiting.size === 0) this.#endStepsSoon();
    const others = this.#waiting.get(step);
    if (others) others.push(goOn);
    else this.#waiting.set(step, [goOn]);
  }

  #endStepsSoon(): void {
    const toNextMs = Math.ceil(STEP_MS - (this.#clock.now() % STEP_MS));
    this.#clock.after(toNextMs, () => void this.#endSteps());
  }

  async #endSteps(): Promise<void> {
    let count = 0;
    for (const [step, polls] of this.#waiting) {
      if (step * STEP_MS > this.#clock.now()) continue;
      for (const goOn of polls) {
        goOn();
        count += 1;
        if (count % POLLS_AT_ONCE === 0) await nextTurn();
      }
      this.#waiting.delete(step);
    }
    if (this.#waiting.size > 0) this.#endStepsSoon();
  }
}

/** Ends a poll with events. After a full answer the next ones follow without a pause. */
export function answerWith({ pauses }: Context, poll: PendingPoll, found: PollAnswer, answers?: SharedAnswers): void {
  const answeredAtMs = pauses.noteAnswer();
  if (poll.queue) poll.queue.answeredAtMs = found.isFull ? undefined : answeredAtMs;
  poll.answer(found.toJson(answers));
}
