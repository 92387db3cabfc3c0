const HOUR_MS = 60 * 60_000;

/** What has not come in completely by then never will. */
export const INCOMING_LIFETIME_MS = 24 * HOUR_MS;

/** A file that no message links to is kept for five weeks. */
export const UNUSED_LIFETIME_MS = 5 * 7 * 24 * HOUR_MS;
