import { setTimeout as sleep } from 'node:timers/promises';

const TIMEOUT_MS = 60_000;
const PAUSE_MS = 50;

/** Requests a URL until it answers 200; throws its last answer after a minute. */
export async function untilAnswered(url: string, headers: Record<string, string> = {}): Promise<void> {
  const giveUpAt = Date.now() + TIMEOUT_MS;
  for (;;) {
    const answer = await ask(url, headers);
    if (answer === 'ok') return;
    if (Date.now() > giveUpAt) throw new Error(`GET ${url} does not succeed: ${answer}`);
    await sleep(PAUSE_MS);
  }
}

async function ask(url: string, headers: Record<string, string>): Promise<string> {
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
    return response.ok ? 'ok' : `${response.status} ${(await response.text()).slice(0, 200).replaceAll('\n', ' ')}`;
  } catch (error) {
    const { message, cause } = error as Error;
    return cause instanceof Error ? cause.message : message;
  }
}
