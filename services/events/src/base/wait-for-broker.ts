import { setTimeout as sleep } from 'node:timers/promises';
import type { Bus } from '@parley/shared/bus';
import { ServiceUnavailableError } from '@parley/shared/errors';

const TIMEOUT_MS = 5_000;
const ANSWER_MS = 1_000;
const RETRY_MS = 50;

/**
 * Waits until the broker is connected: a request sent during a reconnect is lost, and fails by timeout only. Throws
 * ServiceUnavailableError if the broker stays unreachable.
 */
export async function waitForBroker({ connection }: Bus): Promise<void> {
  const giveUpAt = performance.now() + TIMEOUT_MS;
  for (;;) {
    try {
      const answering = connection.rtt().then(() => true);
      if (await Promise.race([answering, sleep(ANSWER_MS, false, { ref: false })])) return;
      throw new Error('the broker does not answer');
    } catch (error) {
      if (performance.now() >= giveUpAt) rejectAsUnreachable(error);
    }
    await sleep(RETRY_MS);
  }
}

/** Without the broker there are no queues; the client may try again. */
export function rejectAsUnreachable(cause: unknown): never {
  throw Object.assign(new ServiceUnavailableError(), { cause });
}
