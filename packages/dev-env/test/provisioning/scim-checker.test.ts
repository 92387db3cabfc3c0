import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { TestNetwork } from '../../src';
import { newScimToken } from './scim-client';

// The checker is scim2-tester, of the package scim2-cli for Python: the one at SCIM2, else one that is installed for this test.

const PACKAGE = 'scim2-cli==0.6.0';
const run = promisify(execFile);
const folder = mkdtempSync(path.join(tmpdir(), 'parley-scim-'));
const MINUTE_MS = 60_000;

let network: TestNetwork;
let checker: string;
beforeAll(async () => {
  network = await TestNetwork.create();
  checker = process.env['SCIM2'] ?? (await install());
}, 5 * MINUTE_MS);
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await network.stop();
});

async function install(): Promise<string> {
  await run('python3', ['-m', 'venv', folder]);
  await run(path.join(folder, 'bin/pip'), ['install', '--quiet', PACKAGE]);
  return path.join(folder, 'bin/scim2');
}

test(
  'the checker of SCIM finds no errors',
  async () => {
    const { token } = await newScimToken(network);
    const url = `http://${network.gatewayAddresses[0]}/scim/v2`;
    const env = { ...process.env, SCIM_CLI_HEADERS: `Authorization: Bearer ${token}`, NO_COLOR: '1' };
    const { stdout } = await run(checker, ['-u', url, 'test'], { env, maxBuffer: 16 * 1024 * 1024 }).catch(
      (error) => error,
    );
    const results = String(stdout).split('\n');
    expect(results.filter((line) => /\b(ERROR|CRITICAL)\b/.test(line))).toEqual([]);
    // All kinds of checks have run.
    const passed = results.filter((line) => line.includes('SUCCESS')).join('\n');
    for (const check of [
      'object_creation',
      'object_deletion',
      'object_replacement',
      'check_add_attribute',
      'check_remove_attribute',
    ]) {
      expect(passed).toContain(check);
    }
  },
  5 * MINUTE_MS,
);
