import { runPeriodically } from '../jobs';
import { silentLogger } from '../observability';
import { createFakeClock } from '../testing';

const CHORE = { everyMs: 1_000, failure: 'not done' };
const turn = () => new Promise(setImmediate);

/** A task whose runs end when the test says so. */
function start() {
  const clock = createFakeClock();
  const endings: { resolve: () => void; reject: (error: Error) => void; stopping: AbortSignal }[] = [];
  const stop = runPeriodically({ clock, log: silentLogger }, CHORE, (stopping) => {
    return new Promise<void>((resolve, reject) => endings.push({ resolve, reject, stopping }));
  });
  return { clock, endings, stop };
}

test('runs at its interval, measured from the end of the last run, also after a failure', async () => {
  const { clock, endings, stop } = start();
  clock.advance(999);
  expect(endings).toHaveLength(0);
  clock.advance(1);
  expect(endings).toHaveLength(1);
  clock.advance(60_000);
  expect(endings).toHaveLength(1);
  endings[0]?.reject(new Error('no'));
  await turn();
  clock.advance(1_000);
  expect(endings).toHaveLength(2);
  endings[1]?.resolve();
  await stop();
});

test('a stop aborts the running task, waits for it, and no further run follows', async () => {
  const { clock, endings, stop } = start();
  clock.advance(1_000);
  let isStopped = false;
  const stopped = stop().then(() => {
    isStopped = true;
  });
  await turn();
  expect([endings[0]?.stopping.aborted, isStopped]).toEqual([true, false]);
  endings[0]?.resolve();
  await stopped;
  clock.advance(60_000);
  expect(endings).toHaveLength(1);
});

test('runs at once when woken, once more when woken during a run, and never after the stop', async () => {
  const clock = createFakeClock();
  let wake = () => {};
  let count = 0;
  const wokenBy = (waking: () => void) => {
    wake = waking;
    return () => {
      wake = () => {};
    };
  };
  const stop = runPeriodically({ clock, log: silentLogger }, { ...CHORE, wokenBy }, async () => {
    count += 1;
    if (count === 1) wake();
  });
  wake();
  clock.advance(0);
  await turn();
  clock.advance(0);
  await turn();
  expect(count).toBe(2);
  clock.advance(999);
  expect(count).toBe(2);
  await stop();
  wake();
  clock.advance(1_000);
  expect(count).toBe(2);
});
