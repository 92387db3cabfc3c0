export const DEFAULT_LIFESPAN_SECS = 600;
export const MAX_LIFESPAN_SECS = 7 * 24 * 3_600;

const MAX_SLACK_MS = 60_000;

/** Seconds without a poll after which a queue is gone; 0 asks for the default. */
export function lifespanOf(requestedSecs: number): number {
  return requestedSecs > 0 ? Math.min(requestedSecs, MAX_LIFESPAN_SECS) : DEFAULT_LIFESPAN_SECS;
}

/** How much longer than asked a queue lives, so that polls need not store a new expiry each time. */
export function slackMsOf(lifespanSecs: number): number {
  return Math.min(MAX_SLACK_MS, lifespanSecs * 100);
}
