const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const monthName = /^(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\.?$/;

/** Midnight UTC of a day, or null. Reads 2017-06-05, 6/5/2017, 5.6.2017, 5 June 2017 and June 5, 2017. */
export function parseDate(text: string): number | null {
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
  // Month first, as long as it can be one; with dots the day is first.
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
