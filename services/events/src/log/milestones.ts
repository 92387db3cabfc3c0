interface Milestone {
  isPassed: Promise<void>;
  pass: () => void;
}

/** The position up to which the log was read; callers can wait for a record. */
export class Milestones {
  #head = -1;
  // Unknown until the log's length is known.
  #loadedSeq = Number.POSITIVE_INFINITY;
  /** By record: tens of thousands may wait for the same one, and every record checks this. */
  readonly #awaited = new Map<number, Milestone>();

  /** Reading restarts after `head`. Callers that wait for a record of the old log are released. */
  restart(head: number, loadedSeq: number): void {
    this.#head = head;
    this.#loadedSeq = loadedSeq;
    this.#release(Number.POSITIVE_INFINITY);
  }

  reach(head: number): void {
    this.#head = head;
    this.#release(head);
  }

  until(seq: number): Promise<void> {
    if (seq <= this.#head) return Promise.resolve();
    const awaited = this.#awaited.get(seq) ?? newMilestone();
    this.#awaited.set(seq, awaited);
    return awaited.isPassed;
  }

  async untilLoaded(): Promise<void> {
    while (this.#head < this.#loadedSeq) await this.until(this.#loadedSeq);
  }

  #release(head: number): void {
    for (const [seq, { pass }] of this.#awaited) {
      if (seq > head) continue;
      this.#awaited.delete(seq);
      pass();
    }
  }
}

function newMilestone(): Milestone {
  let pass = () => {};
  const isPassed = new Promise<void>((resolve) => {
    pass = resolve;
  });
  return { isPassed, pass };
}
