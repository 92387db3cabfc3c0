const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;
/** Digests are sent from this hour on, UTC. */
const HOUR = 8;
/** An outage delays a digest for this time; after it there is none that week. */
const LATEST_MS = 3 * DAY_MS;
/** 1970-01-01 was a Thursday. */
const FIRST_WEEKDAY = 3;

/** The midnight (UTC) of the day whose digest may be sent now; null: none. `weekday`: 0 Monday to 6 Sunday. */
export function digestDay(weekday: number, nowMs: number): number | null {
  const begunMs = nowMs - HOUR * HOUR_MS;
  const today = Math.floor(begunMs / DAY_MS);
  const daysAgo = (today + FIRST_WEEKDAY - weekday + 7) % 7;
  return daysAgo * DAY_MS < LATEST_MS ? (today - daysAgo) * DAY_MS : null;
}

/** What a digest of that day is about: a week. */
export function digestSince(dayMs: number): number {
  return dayMs + HOUR * HOUR_MS - WEEK_MS;
}
