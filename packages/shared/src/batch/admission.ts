import { ServiceUnavailableError } from '../errors';

export interface AdmissionBounds {
  atOnce: number;
  /** Maximum number of waiting tasks; absent: unlimited. */
  waiting?: number;
}

/**
 * Limits how many tasks run concurrently; the others wait in order of arrival. If the queue is full a task is refused at once.
 */
export class Admission {
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(private readonly bounds: AdmissionBounds) {}

  get waitingCount(): number {
    return this.#waiting.length;
  }

  async run<Result>(task: () => Promise<Result>): Promise<Result> {
    if (this.#running >= this.bounds.atOnce) await this.#turn();
    else this.#running += 1;
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      // The slot passes to the next waiting task: a task that arrives now cannot take it.
      if (next) next();
      else this.#running -= 1;
    }
  }

  #turn(): Promise<void> {
    if (this.#waiting.length >= (this.bounds.waiting ?? Number.POSITIVE_INFINITY)) throw new ServiceUnavailableError();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
