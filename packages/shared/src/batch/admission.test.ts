import { ServiceUnavailableError } from '../errors';
import { Admission } from './admission';

test('tasks run up to the limit, the rest in order of arrival, and a full queue refuses more', async () => {
  const admission = new Admission({ atOnce: 2, waiting: 2 });
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const enter = (number: number) =>
    admission.run(async () => {
      begun.push(number);
      await new Promise<void>((resolve) => ends.push(resolve));
      return number;
    });
  const answers = [enter(0), enter(1), enter(2), enter(3)];
  await expect(enter(4)).rejects.toThrow(ServiceUnavailableError);
  expect(begun).toEqual([0, 1]);
  for (let ended = 0; ended < 4; ended += 1) {
    ends[ended]?.();
    await answers[ended];
    await new Promise(setImmediate);
    expect(begun).toEqual([0, 1, 2, 3].slice(0, Math.min(4, ended + 3)));
  }
  expect(await Promise.all(answers)).toEqual([0, 1, 2, 3]);
});

test('a task that fails makes room as well', async () => {
  const admission = new Admission({ atOnce: 1, waiting: 1 });
  await expect(admission.run(() => Promise.reject(new Error('down')))).rejects.toThrow('down');
  expect(await admission.run(async () => 'next')).toBe('next');
});
