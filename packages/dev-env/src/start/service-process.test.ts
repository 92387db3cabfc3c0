import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startServiceProcess } from './service-process';

const directory = mkdtempSync(path.join(tmpdir(), 'parley-service-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** A substitute for a service's main.js. */
function startStandIn(script: string, onLine = (_line: string) => {}) {
  const main = path.join(directory, 'main.js');
  writeFileSync(main, script);
  return startServiceProcess({ main, environment: process.env, onLine });
}

const fatal = (message: string) => JSON.stringify({ level: 60, msg: 'cannot start', err: { message } });

describe('a service’s process', () => {
  test('has started when it says so', async () => {
    const service = await startStandIn("process.send({ started: '127.0.0.1:7' }); setInterval(() => {}, 1000)");
    expect(service.address).toBe('127.0.0.1:7');
    await service.stop();
    expect(await service.ended).toBe('SIGTERM');
  });

  test('is read line by line, on both outputs', async () => {
    const lines: string[] = [];
    const script = `console.log('one\\ntwo'); console.error('three'); process.exit()`;
    await startStandIn(script, (line) => lines.push(line)).catch(() => {});
    expect(lines.sort()).toEqual(['one', 'three', 'two']);
  });

  test.each([
    [
      'by its last fatal record',
      `console.log(${JSON.stringify(fatal('the port is taken\n at x'))}); process.exit(1)`,
      'the port is taken',
    ],
    ['by its bare last line', "console.error('NATS_URL must be set'); process.exit(1)", 'NATS_URL must be set'],
    ['by the error that it threw', "throw new TypeError('no such thing')", 'TypeError: no such thing'],
    ['by its exit when it said nothing', 'process.exit(7)', 'exit code 7'],
  ])('that ends before it has started explains it %s', async (_how, script, reason) => {
    await expect(startStandIn(script)).rejects.toThrow(new Error(reason));
  });
});
