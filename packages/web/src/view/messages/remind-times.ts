/** Times that people often want to be reminded at. */
export interface RemindTime {
  kind: 'soon' | 'hour' | 'hours' | 'tomorrow' | 'monday';
  at: Date;
}

const MINUTE_MS = 60_000;
const MORNING = 9;

export function remindTimes(now: Date): RemindTime[] {
  const after = (minutes: number) => new Date(now.getTime() + minutes * MINUTE_MS);
  return [
    { kind: 'soon', at: after(20) },
    { kind: 'hour', at: after(60) },
    { kind: 'hours', at: after(180) },
    { kind: 'tomorrow', at: morning(now, 1) },
    { kind: 'monday', at: morning(now, (8 - now.getDay()) % 7 || 7) },
  ];
}

function morning(now: Date, days: number): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, MORNING);
}

/** As a field for date and time takes it, in local time. */
export function fieldTimeOf(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}
