import { computed } from '@preact/signals';
import { isReady, read } from '../../store/model';

/** The language of dates, undefined: the browser's, and whether times have 12 hours, as the person has set it. */
export const clockStyle = computed(() => {
  const settings = isReady.value ? read('settings').user_settings : undefined;
  const language = known(String(settings?.['default_language'] ?? '') || undefined);
  return { language, hour12: settings?.['twenty_four_hour_time'] !== true };
});

/** Made once for each setting: formatters are slow to make. */
const formats = computed(() => {
  const { language, hour12 } = clockStyle.value;
  const clock = { hour: 'numeric', minute: '2-digit', hour12 } as const;
  const make = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(language, options);
  return {
    time: make(clock),
    full: make({ dateStyle: 'full', timeStyle: 'medium', hour12 }),
    short: make({ weekday: 'short', month: 'short', day: 'numeric', year: 'numeric', ...clock }),
    date: make({ dateStyle: 'medium' }),
    day: make({ weekday: 'long', month: 'long', day: 'numeric' }),
    dayOfYear: make({ weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' }),
  };
});

function known(language: string | undefined): string | undefined {
  try {
    return language === undefined ? undefined : Intl.getCanonicalLocales(language)[0];
  } catch {
    return undefined;
  }
}

export const timeOf = (date: Date) => formats.value.time.format(date);
export const fullTimeOf = (date: Date) => formats.value.full.format(date);
export const shortDateOf = (date: Date) => formats.value.date.format(date);
export const shortTimeOf = (date: Date) => formats.value.short.format(date);

/** A day as people say it; of other years with the year. */
export function dayOf(date: Date, today = new Date()): string {
  const { day, dayOfYear } = formats.value;
  return (date.getFullYear() === today.getFullYear() ? day : dayOfYear).format(date);
}

export const dateOf = (seconds: number) => new Date(seconds * 1_000);
