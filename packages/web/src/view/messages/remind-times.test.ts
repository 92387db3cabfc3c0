import { fieldTimeOf, remindTimes } from './remind-times';

// The first of March 2026 is a Sunday.
test.each([
  [
    new Date(2026, 2, 1, 12, 30),
    ['2026-03-01T12:50', '2026-03-01T13:30', '2026-03-01T15:30', '2026-03-02T09:00', '2026-03-02T09:00'],
  ],
  [
    new Date(2026, 2, 2, 23, 59),
    ['2026-03-03T00:19', '2026-03-03T00:59', '2026-03-03T02:59', '2026-03-03T09:00', '2026-03-09T09:00'],
  ],
])('on %s reminders are offered at %j', (now, times) => {
  expect(remindTimes(now).map(({ at }) => fieldTimeOf(at))).toEqual(times);
});
