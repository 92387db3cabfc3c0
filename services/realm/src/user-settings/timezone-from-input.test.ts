import { timezoneFromInput } from './settings-from-input';

test.each([
  ['Europe/Berlin', 'Europe/Berlin'],
  ['UTC', 'UTC'],
  ['Asia/Kolkata', 'Asia/Kolkata'],
  ['Asia/Calcutta', 'Asia/Calcutta'],
  ['america/argentina/buenos_aires', 'america/argentina/buenos_aires'],
])('%s is a time zone', (name, expected) => expect(timezoneFromInput(name).toLowerCase()).toBe(expected.toLowerCase()));

test('a zone is spelt as its database does', () => {
  expect(timezoneFromInput('europe/BERLIN')).toBe('Europe/Berlin');
});

test.each(['', ' ', 'Mars/Olympus', '+01:00', 'Europe/Berlin\0', 'x'.repeat(1_000), '../etc'])('%j is none', (name) =>
  expect(() => timezoneFromInput(name)).toThrow('Invalid timezone: Value error, Not a recognized time zone'),
);
