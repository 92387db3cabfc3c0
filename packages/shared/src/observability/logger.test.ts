import { EventEmitter } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { togetherPerTurn } from './logger';

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
