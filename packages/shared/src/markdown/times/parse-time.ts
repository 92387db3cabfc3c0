import { parseDate } from './parse-date';
import { parseZone } from './time-zones';

const clock = /(?<!\d)(\d{1,2})(?::(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?(?: ?([ap])\.?m\b\.?)?| ?([ap])\.?m\b\.?)/i;
/** At the end, or before a year at the end. */
const zone = /(?:^|(?<=[\s\d]))([a-z]{0,5}[+-]\d{1,2}(?::?\d{2})?|[a-z]{1,5})(?=$|\s\d{4}$)/i;
const weekday = /\b(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\b[.,]?/gi;

/** The years that the answer can be written for. */
const earliestMs = Date.UTC(1, 0, 1) - 1900 * 365.2425 * 86_400_000;
const latestMs = Date.UTC(9999, 11, 31, 23, 59, 59);

/** Digits alone: a day, and maybe a time of that day. */
const compact = /^(\d{4})(\d\d)(\d\d)(?:T?(\d\d)(\d\d)(\d\d)?)?(?![\d.])/i;

/**
 * The instant that someone wrote in one of the common ways, or null. Without a zone it is UTC; a number that is no compact date
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
