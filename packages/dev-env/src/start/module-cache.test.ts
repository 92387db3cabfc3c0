import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startServiceProcess } from './service-process';

const directory = mkdtempSync(path.join(tmpdir(), 'parley-module-cache-'));
const main = path.join(directory, 'main.js');
const part = path.join(directory, 'part.js');
const cache = path.join(directory, 'cache');

beforeAll(() => mkdirSync(cache));
afterAll(() => rmSync(directory, { recursive: true }));

/** What a process with that part reports. */
async function report(): Promise<string> {
  const environment = { ...process.env, TEST_MODULE_CACHE: cache };
  const service = await startServiceProcess({ main, environment, onLine: () => {} });
  await service.stop();
  return service.address;
}

/** Like services, sets a flag of V8 when it has loaded its modules. */
const MAIN = `const started = [require('./part'), require.main === module, __filename].join(' ');
  require('node:v8').setFlagsFromString('--expose-gc');
  process.send({ started });`;

/** Of the same length as another one, by which V8 knows a text. */
function writePart(word: string, changedAt: number): void {
  writeFileSync(part, `module.exports = '${word}';`);
  utimesSync(part, changedAt, changedAt);
}

test('the first process leaves its compiled modules to the others, which see what has changed', async () => {
  writeFileSync(main, MAIN);
  writePart('old', 1);
  expect(await report()).toBe(`old true ${main}`);
  expect(readdirSync(cache)).toHaveLength(1);
  // As if nothing had changed: the code is the first process's.
  writePart('new', 1);
  expect(await report()).toBe(`old true ${main}`);
  writePart('new', 2);
  expect(await report()).toBe(`new true ${main}`);
});

test('a module that imports others can do so in every process', async () => {
  rmSync(cache, { recursive: true });
  mkdirSync(cache);
  writeFileSync(main, `import('./part.js').then(({ default: part }) => process.send({ started: part }));`);
  writePart('old', 1);
  expect(await report()).toBe('old');
  expect(await report()).toBe('old');
});
