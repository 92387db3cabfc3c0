/** Receives the result or the error; called once. */
export type Deliver<Outcome> = (outcome: Outcome | Error) => void;

/**
 * A result that may take long. A promise would keep every frame that awaits it; this keeps only the functions that handle the
 * result, so that thousands can be pending.
 */
export class Deferred<Outcome> {
  /** `start` is called once, when the handlers are set. */
  constructor(readonly start: (deliver: Deliver<Outcome>) => void) {}

  /** The same with a changed result; if `change` throws, the error replaces it. */
  map<Other>(change: (outcome: Outcome) => Other): Deferred<Other> {
    return new Deferred((deliver) => this.start((outcome) => deliver(changed(outcome, change))));
  }
}

function changed<Outcome, Other>(outcome: Outcome | Error, change: (outcome: Outcome) => Other): Other | Error {
  if (outcome instanceof Error) return outcome;
  try {
    return change(outcome);
  } catch (error) {
    return error as Error;
  }
}
