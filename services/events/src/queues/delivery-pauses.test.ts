import { createFakeClock } from '@parley/shared/testing';
import { AnswerRate, DeliveryPauses, pauseMsAt } from './delivery-pauses';

test.each([
  { answersPerSecond: 0, pauseMs: 0 },
  { answersPerSecond: 100, pauseMs: 0 },
  { answersPerSecond: 280, pauseMs: 10 },
  { answersPerSecond: 550, pauseMs: 25 },
  { answersPerSecond: 1_000, pauseMs: 50 },
  { answersPerSecond: 50_000, pauseMs: 50 },
])('at $answersPerSecond answers in a second the pause is $pauseMs ms', ({ answersPerSecond, pauseMs }) => {
  expect(pauseMsAt(answersPerSecond, 50)).toBeCloseTo(pauseMs);
  expect(pauseMsAt(answersPerSecond, 0)).toBe(0);
});

test('the rate follows the answers of the last seconds, and is forgotten when there are none', () => {
  const rate = new AnswerRate();
  for (let ms = 0; ms < 5_000; ms += 2) rate.count(ms);
  expect(rate.at(5_000)).toBeGreaterThan(480);
  expect(rate.at(5_000)).toBeLessThan(510);
  expect(rate.at(6_000)).toBeCloseTo(rate.at(5_000) / Math.E);
  expect(rate.at(20_000)).toBeLessThan(1);
});

/** Pauses of a pod that has just given that many answers. */
function after(answers: number) {
  const clock = createFakeClock();
  const timers: number[] = [];
  const pauses = new DeliveryPauses({
    longestMs: 50,
    clock: {
      now: clock.now,
      after(delayMs, task) {
        timers.push(delayMs);
        return clock.after(delayMs, task);
      },
    },
  });
  for (let count = 0; count < answers; count += 1) pauses.noteAnswer();
  return { clock, pauses, timers, answeredAtMs: clock.now() };
}

describe('a queue', () => {
  test.each([
    ['that was never answered', 2_000, 0, undefined],
    ['of a pod without much to do', 90, 0, 0],
    ['answered long ago', 2_000, 60, 60],
  ])('%s is answered at once', (_, answers, waitedMs, agoMs) => {
    const { clock, pauses, answeredAtMs } = after(answers);
    clock.advance(waitedMs);
    expect(pauses.afterAnswer(agoMs === undefined ? undefined : answeredAtMs)).toBeUndefined();
  });

  test('answered a moment ago waits for the rest of the pause, in whole steps', async () => {
    const { clock, pauses, answeredAtMs } = after(2_000);
    clock.advance(22);
    let isDue = false;
    const due = pauses.afterAnswer(answeredAtMs)?.then(() => {
      isDue = true;
    });
    clock.advance(20);
    await Promise.resolve();
    expect(isDue).toBe(false);
    clock.advance(8);
    await due;
    expect(isDue).toBe(true);
  });
});

test('thousands that pause share one timer, and go on in turns, in order', async () => {
  const { clock, pauses, timers, answeredAtMs } = after(5_000);
  const order: number[] = [];
  const all = Array.from({ length: 2_000 }, (_, index) =>
    pauses.afterAnswer(answeredAtMs)?.then(() => void order.push(index)),
  );
  expect(timers).toEqual([5]);
  clock.advance(50);
  await Promise.resolve();
  expect(order.length).toBeLessThan(2_000);
  await Promise.all(all);
  expect(order).toEqual([...order].sort((a, b) => a - b));
  expect(timers.length).toBeLessThanOrEqual(10);
  await pauses.idle();
});
