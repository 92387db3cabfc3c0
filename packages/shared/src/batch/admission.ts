import { ServiceUnavailableError } from '../errors';

export interface AdmissionBounds {
  atOnce: number;
  /** How many may wait for their turn; absent: all who come. */
  waiting?: number;
}

/** Bounds how many tasks run at once; the others wait in order of arrival. A task that finds the queue full is refused at once. */
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
