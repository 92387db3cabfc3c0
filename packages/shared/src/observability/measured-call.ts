import { PublicError, ServiceUnavailableError } from '../errors';
import type { Durations } from './durations';

/** ok, refused (the caller's fault, as an error of the API), unavailable (to be tried again), failed (a bug). */
const OUTCOMES = ['ok', 'refused', 'unavailable', 'failed'] as const;

type Outcome = (typeof OUTCOMES)[number];
type Call<Arguments extends unknown[], Result> = (...args: Arguments) => Promise<Result>;

/** The same call, whose durations are noted by how it ends. */
export function measuredCall<Arguments extends unknown[], Result>(
  durations: Durations,
  method: string,
  call: Call<Arguments, Result>,
): Call<Arguments, Result> {
  const note = (outcome: Outcome, beganAtMs: number) => durations.of({ method, outcome }).since(beganAtMs);
  let ok: ReturnType<Durations['of']> | undefined;
  return async (...args) => {
    const beganAtMs = performance.now();
    try {
      const result = await call(...args);
      ok ??= durations.of({ method, outcome: 'ok' });
      ok.since(beganAtMs);
      return result;
    } catch (error) {
      note(outcomeOf(error), beganAtMs);
      throw error;
    }
  };
}

function outcomeOf(error: unknown): Outcome {
  if (error instanceof ServiceUnavailableError) return 'unavailable';
  return error instanceof PublicError ? 'refused' : 'failed';
}
