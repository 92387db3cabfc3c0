interface Waiter {
  seq: number;
  resolve: () => void;
}

/** How far the log has been read, for whoever has to wait for some record. */
export class Milestones {
  #head = -1;
  // Until the log's length is known nobody can say that it is loaded.
  #loadedSeq = Number.POSITIVE_INFINITY;
  #waiters: Waiter[] = [];

  /** Reading begins anew behind `head`. Whoever waited for a record of the old log is released. */
  restart(head: number, loadedSeq: number): void {
    this.#head = head;
    this.#loadedSeq = loadedSeq;
    this.#release(() => true);
  }

  reach(head: number): void {
    this.#head = head;
    this.#release(({ seq }) => seq <= head);
  }

  until(seq: number): Promise<void> {
    if (seq <= this.#head) return Promise.resolve();
    return new Promise((resolve) => this.#waiters.push({ seq, resolve }));
  }

  async untilLoaded(): Promise<void> {
    while (this.#head < this.#loadedSeq) await this.until(this.#loadedSeq);
  }

  #release(isDue: (waiter: Waiter) => boolean): void {
    if (this.#waiters.length === 0) return;
    const due = this.#waiters.filter(isDue);
    this.#waiters = this.#waiters.filter((waiter) => !due.includes(waiter));
    for (const { resolve } of due) resolve();
  }
}
