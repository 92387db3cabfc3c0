import { NatsError } from 'nats';
import { createLogger, type Logger } from '../observability';
import { Interruptions } from './interruptions';

/** Attempts as [beganAtMs, failedAtMs], and the log level of each failure. */
function levels(...attempts: [number, number][]): string[] {
  const said: string[] = [];
  let nowMs = 0;
  const log = { info: () => said.push('info'), warn: () => said.push('warn') } as unknown as Logger;
  const interruptions = new Interruptions(log, 'reading was interrupted', {}, () => nowMs);
  for (const [beganAtMs, failedAtMs] of attempts) {
    nowMs = failedAtMs;
    interruptions.note(new Error('away'), beganAtMs);
  }
  return said;
}

test.each<[string, [number, number][], string[]]>([
  ['one that soon goes on is no warning', [[0, 60_000]], ['info']],
  [
    'nor is one that needs some attempts',
    [
      [0, 60_000],
      [60_200, 60_300],
      [60_500, 60_600],
    ],
    ['info', 'info', 'info'],
  ],
  [
    'one that lasts is',
    [
      [0, 60_000],
      [60_200, 65_000],
      [65_200, 70_500],
    ],
    ['info', 'info', 'warn'],
  ],
  [
    'each is judged by itself',
    [
      [0, 60_000],
      [60_200, 120_000],
      [120_200, 120_300],
    ],
    ['info', 'info', 'info'],
  ],
  [
    'what never begins is a warning',
    [
      [0, 100],
      [300, 5_000],
      [5_200, 10_200],
    ],
    ['info', 'info', 'warn'],
  ],
])('%s', (_, attempts, expected) => {
  expect(levels(...attempts)).toEqual(expected);
});

test('an error of the broker is named as one', () => {
  const lines: string[] = [];
  const log = createLogger('test', 'info', { write: (line) => void lines.push(line) });
  new Interruptions(log, 'reading was interrupted').note(new NatsError('TIMEOUT', 'TIMEOUT'), 0);
  expect(JSON.parse(lines[0] as string)).toMatchObject({
    msg: 'reading was interrupted',
    err: { message: 'NATS: TIMEOUT' },
  });
});
