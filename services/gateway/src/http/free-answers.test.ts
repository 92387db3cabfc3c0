import { constants, PerformanceObserver } from 'node:perf_hooks';
import { noteWritten } from './free-answers';

test('after megabytes of answers their buffers are collected, without the whole heap', async () => {
  const collected = new Promise<number>((resolve) => {
    const observer = new PerformanceObserver((list) => {
      observer.disconnect();
      resolve((list.getEntries()[0] as unknown as { detail: { kind: number } }).detail.kind);
    });
    observer.observe({ entryTypes: ['gc'] });
  });
  for (let answers = 0; answers < 32; answers += 1) noteWritten(64 * 1024);
  expect(await collected).toBe(constants.NODE_PERFORMANCE_GC_MINOR);
});
