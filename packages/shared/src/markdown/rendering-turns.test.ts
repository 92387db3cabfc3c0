import { setImmediate as endOfTurn } from 'node:timers/promises';
import type { Steps } from './render-budget';
import { RenderingTurns } from './rendering-turns';

const [ANN, BOB, CARL] = [1, 2, 3];
const long = 'x'.repeat(1_001);

/** A rendering of one step. */
// biome-ignore lint/correctness/useYield: it is one step.
function* once<T>(render: () => T): Steps<T> {
  return render();
}

/** Keeps the process busy, like an expensive text. */
function work(ms: number): void {
  const endMs = performance.now() + ms;
  while (performance.now() < endMs);
}

test('a brief text is rendered while long ones wait', async () => {
  const turns = new RenderingTurns();
  const order: string[] = [];
  const longOnes = [1, 2, 3].map(() => turns.run(ANN, long, () => once(() => order.push('long'))));
  await turns.run(BOB, 'hello', () => once(() => order.push('brief')));
  await Promise.all(longOnes);
  expect(order).toEqual(['brief', 'long', 'long', 'long']);
});

test.each(['$$a$$', '```\na\n```', '~~~\na\n~~~'])('%j waits for its turn, brief as it is', async (content) => {
  const turns = new RenderingTurns();
  const order: string[] = [];
  const first = turns.run(ANN, long, () => once(() => order.push('long')));
  const second = turns.run(BOB, content, () => once(() => order.push(content)));
  await Promise.all([first, second]);
  expect(order).toEqual(['long', content]);
});

test('authors take turns, however much one of them has to say', async () => {
  const turns = new RenderingTurns();
  const order: number[] = [];
  const run = (authorId: number) => turns.run(authorId, long, () => once(() => order.push(authorId)));
  await Promise.all([ANN, ANN, ANN, ANN, BOB, BOB, CARL].map(run));
  expect(order).toEqual([ANN, ANN, BOB, CARL, ANN, BOB, ANN]);
});

test('other work of the process goes on between them, for as long as they took', async () => {
  const turns = new RenderingTurns();
  let turnsOfOthers = 0;
  const seenByEach: number[] = [];
  const startMs = performance.now();
  let isDone = false;
  const render = () => {
    seenByEach.push(turnsOfOthers);
    work(20);
  };
  void Promise.all(Array.from({ length: 10 }, () => turns.run(ANN, long, () => once(render)))).then(() => {
    isDone = true;
  });
  for (; !isDone; turnsOfOthers += 1) await endOfTurn();
  // No two of them were rendered without a pause in between.
  expect(new Set(seenByEach).size).toBe(10);
  const [renderingMs, restingMs] = [10 * 20, 9 * 19];
  expect(performance.now() - startMs).toBeGreaterThanOrEqual(renderingMs + restingMs);
});

test('a long rendering rests between its steps', async () => {
  const turns = new RenderingTurns();
  let turnsOfOthers = 0;
  const seen: number[] = [];
  let isDone = false;
  function* steps(): Steps<void> {
    for (let step = 0; step < 10; step += 1) {
      seen.push(turnsOfOthers);
      work(12);
      yield;
    }
  }
  void turns.run(ANN, long, steps).then(() => {
    isDone = true;
  });
  for (; !isDone; turnsOfOthers += 1) await endOfTurn();
  expect(new Set(seen).size).toBe(10);
});

test('a text that fails to render does not block others', async () => {
  const turns = new RenderingTurns();
  const failing = turns.run(ANN, long, () =>
    once(() => {
      throw new Error('too hard');
    }),
  );
  await expect(failing).rejects.toThrow('too hard');
  expect(await turns.run(ANN, long, () => once(() => 'rendered'))).toBe('rendered');
});

test('the texts that one author may have waiting are limited', async () => {
  const turns = new RenderingTurns();
  const run = (authorId: number) => turns.run(authorId, long, () => once(() => 'rendered'));
  // The first one is not waiting.
  const all = Array.from({ length: 501 }, () => run(ANN));
  await expect(run(ANN)).rejects.toMatchObject({ code: 'RATE_LIMIT_HIT' });
  expect(await run(BOB)).toBe('rendered');
  await Promise.all(all);
});
