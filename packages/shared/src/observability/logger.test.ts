import { EventEmitter } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createLogger, togetherPerTurn } from './logger';

/** A destination, what was written to it, and the process. */
function newOutput() {
  const written: string[] = [];
  const exiting = new EventEmitter();
  let waiting = '';
  const destination = {
    write(line: string) {
      waiting += line;
    },
    flushSync() {
      if (waiting !== '') written.push(waiting);
      waiting = '';
    },
  };
  return { written, exiting, output: togetherPerTurn(destination, exiting) };
}

test('the lines of one turn of the event loop are written together', async () => {
  const { written, output } = newOutput();
  for (const line of ['one ', 'two ', 'three']) output.write(line);
  expect(written).toEqual([]);
  await nextTurn();
  output.write('four');
  await nextTurn();
  expect(written).toEqual(['one two three', 'four']);
});

test('no line is lost when the process exits', () => {
  const { written, exiting, output } = newOutput();
  output.write('before');
  exiting.emit('exit');
  output.write('meanwhile');
  expect(written).toEqual(['before', 'meanwhile']);
});

describe('a line', () => {
  const lines: string[] = [];
  const log = createLogger('test', 'info', { write: (line) => void lines.push(line) });
  const written = (fields: object, logger = log) => {
    logger.info(fields, 'done');
    return JSON.parse(lines.at(-1) as string) as Record<string, unknown>;
  };

  test.each([
    [
      { token: 'abc', path: '/' },
      { token: '[Redacted]', path: '/' },
    ],
    [{ user: { key: 'abc', id: 1 } }, { user: { key: '[Redacted]', id: 1 } }],
    [{ req: { headers: { authorization: 'abc' } } }, { req: { headers: { authorization: '[Redacted]' } } }],
  ])('hides secrets: %j', (fields, expected) => {
    expect(written(fields)).toMatchObject(expected);
  });

  test('hides the values in errors of PostgreSQL', () => {
    const err = Object.assign(new Error('refused'), { detail: 'the row', where: 'a place' });
    expect(written({ err }).err).toMatchObject({ message: 'refused', detail: '[Redacted]', where: '[Redacted]' });
  });

  test('without secrets has all its fields, and those of its logger', () => {
    const fields = { path: '/', status: 200, caller: null };
    const expected = { ...fields, level: 30, service: 'test', msg: 'done' };
    expect(written(fields)).toMatchObject(expected);
    expect(written(fields, log.child({ part: 'one' }))).toMatchObject({ ...expected, part: 'one' });
  });
});
