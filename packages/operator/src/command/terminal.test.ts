import { createProgress } from './terminal';

test('progress is printed once a second, with the remaining time, and at the end', () => {
  const lines: string[] = [];
  let now = 0;
  const progress = createProgress({ say: (line) => lines.push(line) }, 2_000, () => now);
  progress(1);
  now = 1_000;
  progress(10);
  progress(11);
  now = 100_000;
  progress(1_000);
  progress(2_000);
  expect(lines).toEqual([
    '10 of 2000 (0 %), about 3 min left',
    '1000 of 2000 (50 %), about 2 min left',
    '2000 of 2000 (100 %)',
  ]);
});
