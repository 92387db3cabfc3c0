import { openDatabase } from '../db';
import { createLogger } from '../observability';
import { testServers } from '../testing';
import { type Clock, systemClock } from '../values';
import { openDatabaseClock } from './database-clock';

const MINUTE_MS = 60_000;
/** Of the comparison, on a busy machine. */
const EXACT_MS = 1_000;

let differenceMs = 0;
const machine: Clock = { ...systemClock, now: () => Date.now() + differenceMs };
const db = openDatabase({ url: testServers().databaseUrl, poolSize: 1, applicationName: 'test' });
const warned: unknown[] = [];
const log = createLogger('test', 'silent');
log.warn = ((...values: unknown[]) => warned.push(values)) as typeof log.warn;
afterAll(() => db.close());

test.each([10 * MINUTE_MS, -10 * MINUTE_MS])(
  'a host whose clock is %i ms ahead has the time of PostgreSQL',
  async (ms) => {
    differenceMs = ms;
    warned.length = 0;
    const clock = await openDatabaseClock({ db, log }, machine);
    expect(Math.abs(clock.now() - Date.now())).toBeLessThan(EXACT_MS);
    // It jumps.
    differenceMs = -3 * ms;
    expect(Math.abs(clock.now() - Date.now())).toBeLessThan(EXACT_MS);
    await clock.compare();
    expect(Math.abs(clock.now() - Date.now())).toBeLessThan(EXACT_MS);
    expect(warned).toEqual([[{ differenceMs: expect.any(Number) }, expect.stringContaining('clock of this host')]]);
    await clock.stop();
  },
);

test('a host whose clock is right is not reported, and its time never leaps', async () => {
  differenceMs = 0;
  warned.length = 0;
  const clock = await openDatabaseClock({ db, log }, machine);
  let last = clock.now();
  for (let n = 0; n < 20; n += 1) {
    await clock.compare();
    expect(Math.abs(clock.now() - last)).toBeLessThan(EXACT_MS);
    last = clock.now();
  }
  expect(Number.isInteger(last)).toBe(true);
  expect(warned).toEqual([]);
  await clock.stop();
});
