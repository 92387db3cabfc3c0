import { noteServerTime, serverNowMs } from './server-time';

const NOON_MS = Date.UTC(2026, 0, 1, 12);
const headerAt = (ms: number) => new Date(ms).toUTCString();

test('the server’s time is known however this computer’s clock is set', () => {
  expect(serverNowMs(NOON_MS)).toBe(NOON_MS);
  noteServerTime(null, NOON_MS);
  expect(serverNowMs(NOON_MS)).toBe(NOON_MS);
  const slow = NOON_MS - 3_600_000;
  noteServerTime(headerAt(NOON_MS + 900), slow + 900);
  expect(serverNowMs(slow + 900)).toBe(NOON_MS);
  noteServerTime(headerAt(NOON_MS + 1_100), slow + 1_100);
  expect(serverNowMs(slow + 1_100)).toBe(NOON_MS + 1_000);
  noteServerTime(headerAt(NOON_MS + 2_900), slow + 2_900);
  expect(serverNowMs(slow + 3_000)).toBe(NOON_MS + 2_900);
  noteServerTime(headerAt(NOON_MS + 5_000), NOON_MS + 5_000);
  expect(serverNowMs(NOON_MS + 6_000)).toBe(NOON_MS + 6_000);
});
