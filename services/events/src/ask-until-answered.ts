import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@parley/shared/service';

const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 2_000;

interface Asking {
  log: Logger;
  stopping: AbortSignal;
}

/** Asks another service until it answers: what an event goes to clients with is never guessed. Rejects when this pod stops. */
export async function askUntilAnswered<Answer>(
  { log, stopping }: Asking,
  question: string,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  let delayMs = FIRST_RETRY_MS;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      log.warn({ err: error }, `cannot ask ${question}; trying again`);
    }
    await sleep(delayMs, undefined, { signal: stopping });
    delayMs = Math.min(delayMs * 2, LAST_RETRY_MS);
  }
}
