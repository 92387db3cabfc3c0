import { randomBytes } from 'node:crypto';

const WORDS = 'Shall we look at it together after lunch, or would tomorrow morning suit everybody better?';

/** A mark in a message's text from which each receiver computes its delivery time. */
export class DeliveryMark {
  readonly #run = randomBytes(4).toString('hex');
  readonly #pattern = new RegExp(`run ${this.#run} at (\\d+)`);

  write(): string {
    return `${WORDS} (run ${this.#run} at ${Math.round(performance.now())})`;
  }

  /** When it was sent, by performance.now(); undefined for what this run has not sent. */
  read(content: string): number | undefined {
    const [, sentAtMs] = this.#pattern.exec(content) ?? [];
    return sentAtMs === undefined ? undefined : Number(sentAtMs);
  }
}
