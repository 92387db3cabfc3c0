/** The time of day at somebody's; null: their time zone is not known, or it is one's own. */
export function localTimeIn(timezone: string | undefined, now = new Date()): string | null {
  if (!timezone) return null;
  try {
    const shown = now.toLocaleTimeString([], { timeZone: timezone, hour: '2-digit', minute: '2-digit' });
    return shown;
  } catch {
    return null;
  }
}

const STEPS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** A past moment in words: "5 minutes ago". */
export function sinceText(seconds: number, language?: string, now = Date.now()): string {
  const ago = Math.max(0, now / 1_000 - seconds);
  const [unit, length] = STEPS.find(([, length]) => ago >= length) ?? ['minute', 60];
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(-Math.floor(ago / length), unit);
}
