/** Work that may be interrupted after each step. */
export type Steps<Result> = Generator<void, Result>;

/** Does it in one go. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
