const clock = /(?<!\d)(\d{1,2})(?::(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?(?: ?([ap])\.?m\b\.?)?| ?([ap])\.?m\b\.?)/i;
/** A zone at the end, or before a year at the end. */
const zone = /(?:^|(?<=[\s\d]))([a-z]{0,5}[+-]\d{1,2}(?::?\d{2})?|[a-z]{1,5})(?=$|\s\d{4}$)/i;
const weekday = /\b(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\b[.,]?/gi;

/** The years that the output format can represent. */
const earliestMs = Date.UTC(1, 0, 1) - 1900 * 365.2425 * 86_400_000;
const latestMs = Date.UTC(9999, 11, 31, 23, 59, 59);

/** Digits only: a date, optionally with a time. */
const compact = /^(\d{4})(\d\d)(\d\d)(?:T?(\d\d)(\d\d)(\d\d)?)?(?![\d.])/i;

/**
 * The instant of a time in one of the common notations, or null. Without a zone it is UTC; a number that is no compact date
 * is Unix seconds.
 */
export function parseTime(written: string): number | null {
  const text = written.trim();
  const timeMs = parseWritten(text.replace(compact, spaceOut)) ?? parseUnixSeconds(text);
  return timeMs !== null && timeMs >= earliestMs && timeMs <= latestMs ? timeMs : null;
}

function spaceOut(
  _digits: string,
  year: string,
  month: string,
  day: string,
  ...[hour, minute, second]: string[]
): string {
  return `${year}-${month}-${day}${hour === undefined ? '' : ` ${hour}:${minute}:${second ?? '00'}`}`;
}

function parseUnixSeconds(text: string): number | null {
  return /^-?\d+(?:\.\d*)?$/.test(text) ? Math.floor(Number(text)) * 1000 : null;
}

function parseWritten(text: string): number | null {
  const time = clock.exec(text);
  const timeOfDayMs = time ? parseClock(time) : 0;
  if (timeOfDayMs === null) return null;
  const afterClock = time ? text.slice(time.index + time[0].length).trim() : '';
  const zoned = zone.exec(afterClock);
  const offset = zoned?.[1] === undefined ? null : parseZone(zoned[1]);
  const afterWithoutZone = offset === null ? afterClock : afterClock.replace(zone, '');
  const dateText = `${time ? text.slice(0, time.index).replace(/T$/i, '') : text} ${afterWithoutZone}`;
  const dateMs = parseDate(dateText.replace(weekday, ' '));
  return dateMs === null ? null : dateMs + timeOfDayMs - (offset ?? 0) * 60_000;
}

function parseClock([, hour, minute = '0', second = '0', halfAfterMinute, halfAfterHour]: RegExpExecArray):
  | number
  | null {
  const half = (halfAfterMinute ?? halfAfterHour)?.toLowerCase();
  if (half !== undefined && (Number(hour) < 1 || Number(hour) > 12)) return null;
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half === 'p' ? 12 : 0);
  if (hours > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  return ((hours * 60 + Number(minute)) * 60 + Number(second)) * 1000;
}

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const monthName = /^(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\.?$/;

/** Midnight UTC of a date, or null. Reads 2017-06-05, 6/5/2017, 5.6.2017, 5 June 2017 and June 5, 2017. */
function parseDate(text: string): number | null {
  const tokens = text
    .toLowerCase()
    .split(/[\s,/.-]+/)
    .filter((token) => token !== '');
  if (tokens.length !== 3) return null;
  const named = tokens.findIndex((token) => monthName.test(token));
  const numbers = tokens.filter((_, at) => at !== named).map(parseNumber);
  if (numbers.includes(null)) return null;
  const [first = 0, second = 0, third = 0] = numbers as number[];
  if (named !== -1) {
    const month = months.indexOf((tokens[named] ?? '').slice(0, 3)) + 1;
    return isYear(tokens[0]) ? dayOf(first, month, second) : dayOf(second, month, first);
  }
  if (isYear(tokens[0])) return dayOf(first, second, third);
  // Month first, if that is possible; with dots the day is first.
  const isDayFirst = first > 12 || /^\d{1,2}\.\d{1,2}\./.test(text);
  return isDayFirst ? dayOf(third, second, first) : dayOf(third, first, second);
}

function parseNumber(token: string): number | null {
  const digits = /^(\d{1,4})(?:st|nd|rd|th)?$/.exec(token)?.[1];
  return digits === undefined ? null : Number(digits);
}

function isYear(token: string | undefined): boolean {
  return /^\d{4}$/.test(token ?? '');
}

function dayOf(writtenYear: number, month: number, day: number): number | null {
  const year = writtenYear < 100 ? writtenYear + (writtenYear < 69 ? 2000 : 1900) : writtenYear;
  const date = new Date(Date.UTC(2000, month - 1, day));
  date.setUTCFullYear(year, month - 1, day);
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists ? date.getTime() : null;
}

const east: Record<string, number> = {
  z: 0,
  utc: 0,
  gmt: 0,
  wet: 0,
  bst: 60,
  cet: 60,
  met: 60,
  west: 60,
  wat: 60,
  cest: 120,
  mest: 120,
  eet: 120,
  sast: 120,
  cat: 120,
  eest: 180,
  msk: 180,
  eat: 180,
  trt: 180,
  idt: 180,
  gst: 240,
  msd: 240,
  pkt: 300,
  ist: 330,
  npt: 345,
  wib: 420,
  ict: 420,
  hkt: 480,
  sgt: 480,
  awst: 480,
  pht: 480,
  myt: 480,
  jst: 540,
  kst: 540,
  acst: 570,
  aest: 600,
  acdt: 630,
  aedt: 660,
  nzst: 720,
  nzdt: 780,
};
const west: Record<string, number> = {
  brt: 180,
  art: 180,
  clst: 180,
  adt: 180,
  ndt: 150,
  nst: 210,
  ast: 240,
  clt: 240,
  edt: 240,
  est: 300,
  cdt: 300,
  cst: 360,
  mdt: 360,
  mst: 420,
  pdt: 420,
  pst: 480,
  akdt: 480,
  akst: 540,
  hdt: 540,
  hst: 600,
  sst: 660,
};

/** Minutes east of UTC of a zone in common notations: `Z`, `+04:00`, `UTC-3`, `PST`; null for unknown names. */
function parseZone(written: string): number | null {
  const [, name = '', sign, hours, minutes = '0'] =
    /^([a-z]*)(?:([+-])(\d{1,2})(?::?(\d{2}))?)?$/.exec(written.toLowerCase()) ?? [];
  if (sign === undefined) return east[name] ?? (west[name] === undefined ? null : -west[name]);
  if (!['', 'utc', 'gmt'].includes(name)) return null;
  if (Number(hours) > 23 || Number(minutes) > 59) return null;
  const offset = Number(hours) * 60 + Number(minutes);
  return sign === '-' ? -offset : offset;
}
