import { textLanguage } from '../texts';

/** How a person reads times: by their settings. */
export interface TimeReader {
  /** As in `default_language`. */
  language: string;
  /** The name of a time zone; empty: UTC. */
  timezone: string;
  hasTwentyFourHourTime: boolean;
}

/** Recipients without an account. */
export function outsideReader(language: string): TimeReader {
  return { language, timezone: '', hasTwentyFourHourTime: true };
}

/** A day and time with the name of the time zone, as the recipient of a mail reads it: in the language of the mail's texts. */
export function mailMoment(atMs: number, reader: TimeReader): string {
  const { hasTwentyFourHourTime } = reader;
  const time = { dateStyle: 'long', timeStyle: 'short', hourCycle: hasTwentyFourHourTime ? 'h23' : 'h12' } as const;
  const timeZone = knownTimezone(reader.timezone);
  const moment = new Intl.DateTimeFormat(localeOf(reader), { ...time, timeZone }).format(atMs);
  return `${moment} ${timezoneName(atMs, reader, timeZone)}`;
}

/** Days are named as in Britain where the day has 24 hours, and as in America where it has twice twelve. */
function localeOf({ language, hasTwentyFourHourTime }: TimeReader): string {
  if (textLanguage(language) !== 'en') return language;
  return hasTwentyFourHourTime || language === 'en-gb' ? 'en-GB' : 'en-US';
}

function timezoneName(atMs: number, reader: TimeReader, timeZone: string): string {
  const parts = new Intl.DateTimeFormat(localeOf(reader), { timeZone, timeZoneName: 'short' }).formatToParts(atMs);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
}

/** UTC in place of a name that this Node does not know. */
function knownTimezone(name: string): string {
  if (name === '') return 'UTC';
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return 'UTC';
  }
}
