import { monotonicClock } from './clock';

test('the monotonic clock does not jump with that of the host', () => {
  const beganAt = monotonicClock.now();
  const host = jest.spyOn(Date, 'now').mockReturnValue(0);
  expect(monotonicClock.now()).toBeGreaterThanOrEqual(beganAt);
  host.mockRestore();
  expect(monotonicClock.now() - beganAt).toBeLessThan(60_000);
});
