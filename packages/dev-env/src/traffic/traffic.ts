import { setTimeout as sleep } from 'node:timers/promises';
import { eg } from '../cast/eg';
import type { TestClient } from '../network/test-client';
import { Follower } from './follower';
import type { Participant } from './participant';
import { Sender } from './sender';

/** A steady load: a few accounts send numbered messages, and more follow. */
export class Traffic {
  readonly senders: readonly Sender[];
  readonly followers: readonly Follower[];
  /** Whether sending has ended. */
  isEnding = false;
  /** Whether all requests have ended. */
  isOver = false;
  readonly #others: Participant[] = [];
  readonly #running: Promise<unknown>[] = [];
  readonly #sending: Promise<unknown>[] = [];
  #failure: unknown;
  #waiting: (() => void)[] = [];

  constructor(
    readonly addresses: readonly string[],
    people: readonly TestClient[],
    followers: number,
  ) {
    const to = { channel: eg.general, word: 'number' };
    this.senders = people.map((person, index) => new Sender(this, person, index, to));
    this.followers = Array.from(
      { length: followers },
      (_, index) => new Follower(this, people[index % people.length] as TestClient, index),
    );
  }

  async start(): Promise<void> {
    for (const follower of this.followers) this.#running.push(this.#guard(follower.run()));
    await this.until(() => this.followers.every(({ queues }) => queues.length > 0));
    for (const sender of this.senders) this.#sending.push(this.#guard(sender.run()));
    await this.untilFlowing();
  }

  /** Adds a participant until the end. */
  add(participant: Participant): void {
    this.#others.push(participant);
    if (participant instanceof Sender) this.#sending.push(this.#guard(participant.run()));
  }

  /** Every participant returns to its initial replica of the gateway, so that each has some. */
  async useFirstReplica(): Promise<void> {
    for (const participant of this.#everybody) participant.useFirstReplica();
    await this.untilFlowing();
  }

  /** Resolves when a message that each sender begins from now on was accepted, and has reached every follower. */
  async untilFlowing(): Promise<void> {
    await this.until(this.flowing());
  }

  /** Resolves when this many more messages were accepted. */
  async untilAccepted(count: number): Promise<void> {
    const accepted = () => this.senders.reduce((sum, sender) => sum + sender.accepted, 0);
    const wanted = accepted() + count;
    await this.until(() => accepted() >= wanted);
  }

  /** Ends the load, after everything that was accepted has arrived. */
  async end(): Promise<void> {
    this.isEnding = true;
    await Promise.all(this.#sending);
    const wanted = this.senders.map(({ account, accepted }) => ({ senderId: account.userId, number: accepted }));
    await this.until(() => this.#haveReached(wanted));
    await this.stop();
  }

  /** Aborts all requests, also pending ones. */
  async stop(): Promise<void> {
    this.isEnding = true;
    this.isOver = true;
    for (const participant of this.#everybody) participant.close();
    await Promise.all([...this.#running, ...this.#sending]);
  }

  /** Called by participants: conditions are checked again. */
  changed(): void {
    for (const look of this.#waiting.splice(0)) look();
  }

  /** Resolves when the condition is met; it is checked after every change. Throws the error of a participant that failed. */
  async until(isMet: () => boolean): Promise<void> {
    for (;;) {
      if (this.#failure) throw this.#failure;
      if (isMet()) return;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** The same with a time limit; false when it has passed. */
  async isWithin(timeoutMs: number, isMet: () => boolean): Promise<boolean> {
    let isLate = false;
    const alarm = new AbortController();
    void sleep(timeoutMs, undefined, { signal: alarm.signal }).then(
      () => {
        isLate = true;
        this.changed();
      },
      () => {},
    );
    try {
      await this.until(() => isLate || isMet());
    } finally {
      alarm.abort();
    }
    return isMet();
  }

  /** The time that messages sent from now on take to reach everybody; the limit if they take longer. */
  async roundMs(limitMs: number): Promise<number> {
    const beginMs = performance.now();
    const hasEnded = await this.isWithin(limitMs, this.flowing());
    return hasEnded ? Math.min(limitMs, performance.now() - beginMs) : limitMs;
  }

  /**
   * The longest of consecutive rounds until some work is done, and one more. A round that reaches the limit is the last one,
   * whether or not the work is done. Throws the work's error if it has failed by then.
   */
  async longestRoundMs(doing: Promise<unknown>, limitMs: number): Promise<number> {
    let isDone = false;
    const end = () => {
      isDone = true;
    };
    doing.then(end, end);
    let longestMs = 0;
    for (let isLast = false; !isLast && longestMs < limitMs; ) {
      isLast = isDone;
      longestMs = Math.max(longestMs, await this.roundMs(limitMs));
    }
    if (isDone) await doing;
    return longestMs;
  }

  /** A condition for until(): whether work besides the load has ended. Its errors become until()'s. */
  ending(doing: Promise<void>): () => boolean {
    let hasEnded = false;
    const end = () => {
      hasEnded = true;
      this.changed();
    };
    void this.#guard(doing.then(end));
    return () => hasEnded;
  }

  /** The condition of untilFlowing, for until(). */
  flowing(): () => boolean {
    const wanted = this.senders.map(({ account, begun }) => ({ senderId: account.userId, number: begun + 1 }));
    return () => this.#haveReached(wanted);
  }

  /** By follower and sender: the number of the last message received. */
  latest(): number[][] {
    return this.followers.map((follower) => this.senders.map(({ account }) => follower.latest(account.userId)));
  }

  /** The value of latest() once exactly the accepted messages have arrived. */
  accepted(): number[][] {
    return this.followers.map(() => this.senders.map(({ accepted }) => accepted));
  }

  get #everybody(): Participant[] {
    return [...this.senders, ...this.followers, ...this.#others];
  }

  async #guard(running: Promise<void>): Promise<void> {
    try {
      await running;
    } catch (error) {
      this.#failure ??= error;
      this.changed();
    }
  }

  #haveReached(wanted: readonly { senderId: number; number: number }[]): boolean {
    return this.followers.every((follower) =>
      wanted.every(({ senderId, number }) => follower.latest(senderId) >= number),
    );
  }
}
