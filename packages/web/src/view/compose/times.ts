/** Times that are offered for sending later. */
export interface LaterTime {
  name: 'inAnHour' | 'thisEvening' | 'tomorrowMorning' | 'mondayMorning';
  at: Date;
}

/** The times that are far enough in the future, in order; of two on the same morning one. */
export function laterTimes(now: Date): LaterTime[] {
  const at = (days: number, hour: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour);
  const toMonday = (8 - now.getDay()) % 7 || 7;
  const times: LaterTime[] = [
    { name: 'inAnHour', at: new Date(now.getTime() + 3_600_000) },
    { name: 'thisEvening', at: at(0, 18) },
    { name: 'tomorrowMorning', at: at(1, 9) },
    ...(toMonday > 1 ? [{ name: 'mondayMorning' as const, at: at(toMonday, 9) }] : []),
  ];
  const soon = now.getTime() + 30 * 60_000;
  return times.filter((each) => each.at.getTime() > soon);
}

const two = (part: number) => String(part).padStart(2, '0');

/** As the browser's fields for dates take it, in local time. */
export function fieldValueOf(date: Date): string {
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** With the offset to UTC: everybody reads it in their own time zone. */
export function globalTimeOf(date: Date): string {
  const minutes = -date.getTimezoneOffset();
  const offset = `${minutes < 0 ? '-' : '+'}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
  return `<time:${fieldValueOf(date)}:00${offset}>`;
}
