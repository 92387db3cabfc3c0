import { createFakeClock } from '../testing';
import { createTurns } from './turns';

test('turns are spaced evenly, and the first one after a pause is at once', async () => {
  const clock = createFakeClock();
  const beganAtMs = clock.now();
  const turns = createTurns(clock, 4);
  const times: number[] = [];
  const take = async () => {
    await turns.next();
    times.push(clock.now() - beganAtMs);
  };
  const taken = [take(), take(), take()];
  await taken[0];
  clock.advance(250);
  await taken[1];
  clock.advance(250);
  await taken[2];
  clock.advance(10_000);
  await take();
  expect(times).toEqual([0, 250, 500, 10_500]);
});
