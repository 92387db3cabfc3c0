import { digestDay, digestSince } from './digest-day';

const MONDAY = Date.parse('2030-01-07T00:00:00Z');
const at = (text: string) => Date.parse(`2030-01-${text}Z`);

test.each<[string, number, number | null]>([
  ['07T07:59:59', 0, null],
  ['07T08:00:00', 0, MONDAY],
  ['08T12:00:00', 0, MONDAY],
  ['10T07:59:59', 0, MONDAY],
  ['10T08:00:00', 0, null],
  ['14T08:00:00', 0, at('14T00:00:00')],
  ['13T08:00:00', 6, at('13T00:00:00')],
  ['14T09:00:00', 6, at('13T00:00:00')],
])('at %s the digest of weekday %i is of %p', (now, weekday, expected) => {
  expect(digestDay(weekday, at(now))).toBe(expected);
});

test('every weekday has one day a week, for three days', () => {
  const hours = Array.from({ length: 7 * 24 }, (_, hour) => MONDAY + hour * 3_600_000);
  for (let weekday = 0; weekday < 7; weekday += 1) {
    const days = hours.map((hour) => digestDay(weekday, hour)).filter((day) => day !== null);
    expect(days).toHaveLength(3 * 24);
    expect(days.every((day) => (new Date(day).getUTCDay() + 6) % 7 === weekday)).toBe(true);
  }
});

test('a digest is about the week before', () => {
  expect(digestSince(MONDAY)).toBe(Date.parse('2029-12-31T08:00:00Z'));
});
