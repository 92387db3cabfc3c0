/** Gets what was waited for, or why there is none; once. */
export type Deliver<Outcome> = (outcome: Outcome | Error) => void;

/**
 * An outcome that may be long in coming. A promise would keep every frame that awaits it: this keeps the functions which handle the
 * outcome, so that thousands can be waited for.
 */
export class Deferred<Outcome> {
  /** `start` is called once, when everything is ready for the outcome. */
  constructor(readonly start: (deliver: Deliver<Outcome>) => void) {}

  /** The same, changed when it comes; what `change` throws comes in its place. */
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
