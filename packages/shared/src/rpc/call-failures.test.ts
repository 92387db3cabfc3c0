import { ServiceUnavailableError } from '../errors';
import { createLogger } from '../observability';
import { newCall, publicErrorOf } from './index';

/** The line that is logged when a call fails with the error. */
function lineOf(error: Error): Record<string, unknown> {
  const lines: string[] = [];
  const log = createLogger('test', 'info', { write: (line) => void lines.push(line) });
  publicErrorOf(error, 'realm.GetReadFacts', newCall('request-1'), log);
  expect(lines).toHaveLength(1);
  return JSON.parse(lines[0] as string);
}

test('a call that fails because something is not ready is logged with the reason', () => {
  const error = Object.assign(new ServiceUnavailableError(), { cause: new Error('connect ECONNREFUSED') });
  const place = { method: 'realm.GetReadFacts', requestId: 'request-1' };
  expect(lineOf(error)).toMatchObject({ ...place, msg: 'call failed', err: { message: 'connect ECONNREFUSED' } });
});

test('where another service has the reason in its log, the line says so', () => {
  const line = lineOf(new ServiceUnavailableError());
  expect(line).toMatchObject({ requestId: 'request-1', msg: 'call failed: a service that it needs is not ready' });
  expect(line).not.toHaveProperty('err');
});
