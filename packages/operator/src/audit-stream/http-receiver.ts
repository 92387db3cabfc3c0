import { setTimeout as sleep } from 'node:timers/promises';
import { pauseMs } from '@parley/shared/values';

const TIMEOUT_MS = 30_000;
const MAX_ATTEMPTS = 10;
const FIRST_PAUSE_MS = 1_000;
const LAST_PAUSE_MS = 60_000;

interface Receiver {
  url: URL;
  /** Of the header Authorization. */
  authorization: string | undefined;
  /** Ends the pause before another attempt. */
  stopping?: AbortSignal;
  /** For tests; by default as above. */
  firstPauseMs?: number;
}

/** Throws unless the connection is encrypted, or local. */
export function receiverUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isLocal = url?.protocol === 'http:' && /^(127\.0\.0\.1|\[::1\]|localhost)$/.test(url.hostname);
  if (!url || (url.protocol !== 'https:' && !isLocal))
    throw new Error(`--to must be an https:// address (it is "${text}")`);
  return url;
}

/**
 * Sends lines of JSON; resolves when the receiver has accepted them. Temporary errors are retried, ever more slowly, for about five
 * minutes: after a lost answer the receiver gets the lines twice. Throws permanent errors, and when it is stopped between two attempts.
 */
export async function post(
  { url, authorization, stopping, firstPauseMs = FIRST_PAUSE_MS }: Receiver,
  lines: string,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const failure = await tryToPost(url, authorization, lines);
    if (failure === null) return;
    if (failure.isFinal || attempt === MAX_ATTEMPTS)
      throw new Error(`${url.origin} has not taken audit entries: ${failure.reason} (attempt ${attempt})`);
    await sleep(pauseMs({ firstMs: firstPauseMs, lastMs: LAST_PAUSE_MS }, attempt), undefined, { signal: stopping });
  }
}

interface Failure {
  reason: string;
  isFinal: boolean;
}

async function tryToPost(url: URL, authorization: string | undefined, body: string): Promise<Failure | null> {
  const headers = { 'content-type': 'application/x-ndjson', ...(authorization !== undefined && { authorization }) };
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'error', signal });
    await response.body?.cancel();
    if (response.ok) return null;
    const { status } = response;
    return { reason: `HTTP ${status}`, isFinal: status < 500 && status !== 408 && status !== 429 };
  } catch (error) {
    const { cause, message } = error as Error;
    return { reason: cause instanceof Error ? cause.message : message, isFinal: false };
  }
}
