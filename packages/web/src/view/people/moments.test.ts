import { localTimeIn, sinceText } from './moments';

const NOW = Date.UTC(2026, 0, 15, 12, 0);

test.each([
  [10, 'this minute'],
  [300, '5 minutes ago'],
  [7_300, '2 hours ago'],
  [90_000, 'yesterday'],
  [864_000, '10 days ago'],
])('%i seconds ago is "%s"', (ago, text) => {
  expect(sinceText(NOW / 1_000 - ago, 'en', NOW)).toBe(text);
});

test.each([
  ['Asia/Tokyo', /^(21:00|09:00 PM)$/],
  ['Europe/Berlin', /^(13:00|01:00 PM)$/],
])('at noon in Greenwich it is later in %s', (timezone, time) => {
  expect(localTimeIn(timezone, new Date(NOW))).toMatch(time);
});

test.each(['', undefined, 'Nowhere/Land'])('nobody knows the time in %s', (timezone) => {
  expect(localTimeIn(timezone, new Date(NOW))).toBeNull();
});
