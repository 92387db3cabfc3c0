/** The resources of a test network, closed in reverse order; a failure does not prevent closing the others. */
export class Closing {
  readonly #steps: (() => unknown)[] = [];

  add(step: () => unknown): void {
    this.#steps.push(step);
  }

  later<Opened extends { close(): unknown }>(opened: Opened): Opened {
    this.add(() => opened.close());
    return opened;
  }

  /** Rejects with the first failure, after all steps were tried. */
  async close(): Promise<void> {
    const failures: unknown[] = [];
    for (const step of this.#steps.splice(0).reverse()) {
      try {
        await step();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
