import { createConsoleLog } from './console-log';

function heard(level: string, ...lines: string[]): string[] {
  const shown: string[] = [];
  const show = createConsoleLog({
    service: 'realm',
    level,
    logFile: 'var/log/realm.log',
    show: (...words) => shown.push(words.join(' | ')),
  });
  for (const line of lines) show(line);
  return shown;
}

const record = (level: number, msg: string, err?: object) => JSON.stringify({ level, msg, err });

describe('the console', () => {
  test('shows warnings and errors, with the first line of the reason', () => {
    const error = { message: 'connection refused\n  at connect', stack: 'long' };
    expect(heard('warn', record(30, 'started'), record(40, 'NATS is away'), record(60, 'cannot start', error))).toEqual(
      ['realm | warn | NATS is away', 'realm | fatal | cannot start: connection refused'],
    );
  });

  test('shows a crash, which is no record', () => {
    expect(heard('warn', 'TypeError: x is not a function')).toEqual(['realm | error | TypeError: x is not a function']);
  });

  test('shows more, or nothing, according to its level', () => {
    expect(heard('debug', record(20, 'detail'))).toEqual(['realm | debug | detail']);
    expect(heard('silent', record(60, 'detail'), 'crash')).toEqual([]);
  });

  test('names the log file instead of going on for ever', () => {
    const shown = heard('warn', ...Array.from({ length: 100 }, (_, index) => record(50, `failure ${index}`)));
    expect(shown).toHaveLength(11);
    expect(shown.at(-1)).toBe('realm | ... | more of this is in var/log/realm.log');
  });
});
