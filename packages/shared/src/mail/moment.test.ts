import { mailMoment, outsideReader } from './index';

const AT_MS = Date.UTC(2030, 6, 9, 21, 5);

test.each([
  ['en', '', true, '9 July 2030 at 21:05 UTC'],
  ['en', 'America/New_York', false, 'July 9, 2030 at 5:05 PM EDT'],
  ['en-gb', 'Europe/London', false, '9 July 2030 at 10:05 pm BST'],
  ['de', 'Europe/Berlin', true, '9. Juli 2030 um 23:05 MESZ'],
  // Texts are English: so is the time.
  ['fr', 'Asia/Kolkata', true, '10 July 2030 at 02:35 GMT+5:30'],
  ['en', 'Mars/Olympus', true, '9 July 2030 at 21:05 UTC'],
])('in %s at %j with 24 hours: %s', (language, timezone, hasTwentyFourHourTime, expected) => {
  const text = mailMoment(AT_MS, { language, timezone, hasTwentyFourHourTime });
  expect(text.replaceAll('\u202f', ' ')).toBe(expected);
});

test('people without an account read UTC', () => {
  expect(mailMoment(AT_MS, outsideReader('de'))).toBe('9. Juli 2030 um 21:05 UTC');
});
