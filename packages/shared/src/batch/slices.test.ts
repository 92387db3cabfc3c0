import { setImmediate as endOfTurn } from 'node:timers/promises';
import { newCall } from '../rpc';
import { Slices } from './slices';

/** Keeps the process busy. */
function work(ms: number): void {
  const endMs = performance.now() + ms;
  while (performance.now() < endMs);
}

test('long work lets others have their turn', async () => {
  let turnsOfOthers = 0;
  let isDone = false;
  const others = (async () => {
    for (; !isDone; turnsOfOthers += 1) await endOfTurn();
  })();
  const slices = new Slices(newCall().deadlineAt);
  for (let round = 0; round < 20; round += 1) {
    work(5);
    await slices.pause();
  }
  isDone = true;
  await others;
  expect(turnsOfOthers).toBeGreaterThanOrEqual(5);
});

test('brief work is done in one turn', async () => {
  const isDoneInOneTurn = async () => {
    let isOver = false;
    setImmediate(() => {
      isOver = true;
    });
    const slices = new Slices(newCall().deadlineAt);
    for (let round = 0; round < 100; round += 1) await slices.pause();
    return !isOver;
  };
  // A process that does not get its processor for a moment may find its slice used up.
  const outcomes: boolean[] = [];
  for (let attempt = 0; attempt < 20; attempt += 1) outcomes.push(await isDoneInOneTurn());
  expect(outcomes).toContain(true);
});

test('the work stops once its deadline has passed', async () => {
  const slices = new Slices(Date.now() - 1);
  work(20);
  await expect(slices.pause()).rejects.toMatchObject({ code: 'SERVER_NOT_READY' });
});
