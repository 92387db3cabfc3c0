import { fieldValueOf, globalTimeOf, laterTimes } from './times';

const offered = (date: string) => laterTimes(new Date(date)).map(({ name, at }) => `${name} ${fieldValueOf(at)}`);

test.each([
  [
    '2026-11-24T10:20', // A Tuesday.
    [
      'inAnHour 2026-11-24T11:20',
      'thisEvening 2026-11-24T18:00',
      'tomorrowMorning 2026-11-25T09:00',
      'mondayMorning 2026-11-30T09:00',
    ],
  ],
  ['2026-11-22T17:45', ['inAnHour 2026-11-22T18:45', 'tomorrowMorning 2026-11-23T09:00']],
  [
    '2026-11-23T22:00',
    ['inAnHour 2026-11-23T23:00', 'tomorrowMorning 2026-11-24T09:00', 'mondayMorning 2026-11-30T09:00'],
  ],
])('%s', (now, times) => expect(offered(now)).toEqual(times));

test('a global time has an offset', () => {
  expect(globalTimeOf(new Date('2026-11-24T10:20'))).toMatch(/^<time:2026-11-24T10:20:00[+-]\d\d:\d\d>$/);
});
