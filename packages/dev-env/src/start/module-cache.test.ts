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

test('the first process leaves its modules to the others, which see what has changed', async () => {
  writeFileSync(main, `process.send({ started: [require('./part'), require.main === module, __filename].join(' ') });`);
  writeFileSync(part, `module.exports = 'old';`);
  expect(await report()).toBe(`old true ${main}`);
  expect(readdirSync(cache)).toHaveLength(1);
  expect(await report()).toBe(`old true ${main}`);
  // Of the same length, by which V8 knows a text.
  writeFileSync(part, `module.exports = 'new';`);
  utimesSync(part, 1, 1);
  expect(await report()).toBe(`new true ${main}`);
});
