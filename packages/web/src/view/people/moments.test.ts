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

const [ENGLISH, GERMAN] = [
  { language: 'en', hour12: true },
  { language: 'de', hour12: false },
];

test.each([
  ['Asia/Tokyo', ENGLISH, /^9:00\sPM$/],
  ['Asia/Tokyo', GERMAN, /^21:00$/],
  ['Europe/Berlin', ENGLISH, /^1:00\sPM$/],
  ['Europe/Berlin', GERMAN, /^13:00$/],
])('at noon in Greenwich it is later in %s, written as %j', (timezone, style, time) => {
  expect(localTimeIn(timezone, style, new Date(NOW))).toMatch(time);
});

test.each(['', undefined, 'Nowhere/Land'])('nobody knows the time in %s', (timezone) => {
  expect(localTimeIn(timezone, ENGLISH, new Date(NOW))).toBeNull();
});
