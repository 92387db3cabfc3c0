import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@parley/shared/service';
import { type BackOff, pauseMs } from '@parley/shared/values';

const BACK_OFF: BackOff = { firstMs: 50, lastMs: 2_000 };

interface Asking {
  log: Logger;
  stopping: AbortSignal;
}

/** Repeats a call to another service until it succeeds: facts for events are never guessed. Rejects when this pod stops. */
export async function askUntilAnswered<Answer>(
  { log, stopping }: Asking,
  question: string,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await ask();
    } catch (error) {
      log.warn({ err: error }, `cannot ask ${question}; trying again`);
    }
    await sleep(pauseMs(BACK_OFF, failures), undefined, { signal: stopping });
  }
}
