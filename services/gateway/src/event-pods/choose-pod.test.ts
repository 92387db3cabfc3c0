import { choosePod } from './choose-pod';

const pods = ['10.0.0.1:50055', '10.0.0.2:50055', '10.0.0.3:50055'].map((address) => ({ address }));
const queues = Array.from({ length: 3_000 }, (_, index) => `queue-${index}`);

test('queues spread evenly over pods', () => {
  for (const pod of pods) {
    const share = queues.filter((queue) => choosePod(pods, queue) === pod).length;
    expect(share).toBeGreaterThan(850);
    expect(share).toBeLessThan(1_150);
  }
});

test('only the queues of a removed pod move', () => {
  const [gone, ...rest] = pods;
  const moved = queues.filter((queue) => choosePod(pods, queue) !== choosePod(rest, queue));
  expect(moved.every((queue) => choosePod(pods, queue) === gone)).toBe(true);
});

test('without pods there is none', () => {
  expect(choosePod([], 'queue')).toBeUndefined();
});
