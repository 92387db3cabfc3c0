import { setTimeout } from 'node:timers/promises';
import { ServiceUnavailableError } from '../errors';
import { type BackOff, pauseMs } from '../values';

/** Less than a caller's timeout (`DEFAULT_TIMEOUT_MS` of rpc). */
const TIMEOUT_MS = 10_000;
const BACK_OFF: BackOff = { firstMs: 10, lastMs: 100, spread: 1 };
const SERIALIZATION_FAILURES = new Set(['40001', '40P01']);

/** The data of a decision has changed before it was locked: the work is repeated. */
export class ChangedMeanwhile extends Error {}

/** The end of each organization's queue. */
const lastTurns = new Map<number, Promise<unknown>>();

/**
 * Runs an action that decides before it takes locks, and repeats it after a conflict. Repetitions run one after
 * the other, organization by organization, so that many concurrent changes of the same data do not conflict for long.
 */
export async function repeatOnConflict<Result>(
  realmId: number,
  action: () => Promise<Result>,
  timeoutMs = TIMEOUT_MS,
): Promise<Result> {
  const until = performance.now() + timeoutMs;
  try {
    return await action();
  } catch (error) {
    if (!isConflict(error)) throw error;
  }
  return takeTurn(realmId, () => repeat(action, until));
}

async function takeTurn<Result>(realmId: number, work: () => Promise<Result>): Promise<Result> {
  const turn = (lastTurns.get(realmId) ?? Promise.resolve()).then(work);
  const end = turn.catch(() => undefined);
  lastTurns.set(realmId, end);
  try {
    return await turn;
  } finally {
    if (lastTurns.get(realmId) === end) lastTurns.delete(realmId);
  }
}

/** Conflicts are now possible only with other replicas, and with first attempts. */
async function repeat<Result>(action: () => Promise<Result>, until: number): Promise<Result> {
  for (let failures = 0; performance.now() < until; failures += 1) {
    if (failures > 0) await setTimeout(pauseMs(BACK_OFF, failures));
    try {
      return await action();
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
  }
  throw new ServiceUnavailableError();
}

function isConflict(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return error instanceof ChangedMeanwhile || SERIALIZATION_FAILURES.has(String(code));
}
