/** Receives the result or the error; called once. */
export type Deliver<Outcome> = (outcome: Outcome | Error) => void;

type Change = (outcome: unknown) => unknown;

/**
 * A result that may take long. A promise would keep every frame that awaits it; this keeps only the functions that handle the
 * result, so that thousands can be pending.
 */
export class Deferred<Outcome> {
  /** `begin` is called once, when the handlers are set. */
  constructor(begin: (deliver: Deliver<Outcome>) => void);
  constructor(begin: (deliver: Deliver<unknown>) => void, changes: readonly Change[]);
  constructor(
    private readonly begin: (deliver: Deliver<unknown>) => void,
    private readonly changes: readonly Change[] = [],
  ) {}

  /** The same with a changed result; if `change` throws, the error replaces it. */
  map<Other>(change: (outcome: Outcome) => Other): Deferred<Other> {
    return new Deferred<Other>(this.begin, [...this.changes, change as Change]);
  }

  /** To be called once. */
  start(deliver: Deliver<Outcome>): void {
    const changes = this.changes;
    this.begin((outcome) => deliver(changed(outcome, changes) as Outcome | Error));
  }
}

function changed(outcome: unknown, changes: readonly Change[]): unknown {
  if (outcome instanceof Error) return outcome;
  try {
    return changes.reduce((result, change) => change(result), outcome);
  } catch (error) {
    return error as Error;
  }
}
