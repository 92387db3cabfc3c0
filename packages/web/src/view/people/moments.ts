/** How times are written for a person. */
interface ClockStyle {
  language: string | undefined;
  hour12: boolean;
}

/** The time of day at somebody's; null: their time zone is not known. */
export function localTimeIn(
  timezone: string | undefined,
  { language, hour12 }: ClockStyle,
  now = new Date(),
): string | null {
  if (!timezone) return null;
  try {
    return now.toLocaleTimeString(language, { timeZone: timezone, hour: 'numeric', minute: '2-digit', hour12 });
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
export function sinceText(seconds: number, language: string, now = Date.now()): string {
  const ago = Math.max(0, now / 1_000 - seconds);
  const [unit, length] = STEPS.find(([, length]) => ago >= length) ?? ['minute', 60];
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(-Math.floor(ago / length), unit);
}
