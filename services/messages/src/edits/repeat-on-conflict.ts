import { ServiceUnavailableError } from '@parley/shared/errors';

const MAX_ATTEMPTS = 10;
const SERIALIZATION_FAILURES = new Set(['40001', '40P01']);

/** Others have changed what was decided upon before it was held: everything is looked at again. */
export class ChangedMeanwhile extends Error {}

/** Runs an action that decides before it holds anything, again whenever others were faster. */
export async function repeatOnConflict<Result>(action: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    try {
      return await action();
    } catch (error) {
      const isConflict =
        error instanceof ChangedMeanwhile || SERIALIZATION_FAILURES.has(String((error as { code?: unknown }).code));
      if (!isConflict) throw error;
    }
  }
  throw new ServiceUnavailableError();
}
