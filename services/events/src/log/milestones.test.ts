import { Milestones } from './milestones';

/** Whether a promise is settled by now. */
async function isReached(promise: Promise<unknown>): Promise<boolean> {
  return Promise.race([promise.then(() => true), new Promise<false>((resolve) => setImmediate(resolve, false))]);
}

test('a wait for a record ends when the record has been read', async () => {
  const milestones = new Milestones();
  milestones.restart(0, 3);
  const [third, seventh, loaded] = [milestones.until(3), milestones.until(7), milestones.untilLoaded()];
  milestones.reach(2);
  expect(await isReached(third)).toBe(false);
  milestones.reach(4);
  expect(await Promise.all([third, loaded, milestones.until(4)].map(isReached))).toEqual([true, true, true]);
  expect(await isReached(seventh)).toBe(false);
});

test('nothing counts as loaded before the length of the log is known', async () => {
  const milestones = new Milestones();
  const loaded = milestones.untilLoaded();
  expect(await isReached(loaded)).toBe(false);
  milestones.restart(5, 5);
  expect(await isReached(loaded)).toBe(true);
});

test('when reading restarts, waits for a record end, and waits for the past continue', async () => {
  const milestones = new Milestones();
  milestones.restart(0, 100);
  const [record, loaded] = [milestones.until(50), milestones.untilLoaded()];
  milestones.restart(0, 2);
  expect(await isReached(record)).toBe(true);
  expect(await isReached(loaded)).toBe(false);
  milestones.reach(2);
  expect(await isReached(loaded)).toBe(true);
});

test('tens of thousands of waits for the past do not slow its reading', async () => {
  const RECORDS = 20_000;
  const milestones = new Milestones();
  milestones.restart(0, RECORDS);
  const waiting = Array.from({ length: 20_000 }, () => milestones.untilLoaded());
  const cpuBefore = process.cpuUsage();
  for (let seq = 1; seq <= RECORDS; seq += 1) milestones.reach(seq);
  await Promise.all(waiting);
  // Iterating over all of them for every record would take many seconds.
  expect(process.cpuUsage(cpuBefore).user / 1000).toBeLessThan(1_000);
});
