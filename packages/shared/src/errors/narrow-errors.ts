import { PublicError } from './public-error';

export class BadNarrowError extends PublicError {
  constructor(description: string) {
    super('BAD_NARROW', 400, `Invalid narrow operator: ${description}`, { desc: description });
  }
}

/** A narrow may follow one message only. */
export class DuplicateWithError extends PublicError {
  constructor() {
    const description = "Duplicate 'with' operators.";
    super('BAD_NARROW', 400, `Invalid narrow operator combination: ${description}`, { desc: description });
  }
}
