import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Installs a program that npm does not provide, and whose Debian package has its name, if that is possible without a prompt: on
 * Debian, as root. Otherwise throws instructions.
 */
export async function ensureProgram(program: string, howToGetIt: string): Promise<void> {
  if (await isThere(program)) return;
  if (process.getuid?.() === 0 && (await isThere('apt-get'))) await installFromDebian(program);
  if (!(await isThere(program))) throw new Error(howToGetIt);
}

async function isThere(program: string): Promise<boolean> {
  return run(program, ['--version']).then(
    () => true,
    () => false,
  );
}

async function installFromDebian(program: string): Promise<void> {
  process.stderr.write(`installing ${program} with apt-get\n`);
  const options = ['-o', 'DPkg::Lock::Timeout=300', '-q', '-y'];
  // Concurrent test runs: one waits for the other.
  const aptGet = (...args: string[]) =>
    run('env', ['DEBIAN_FRONTEND=noninteractive', 'apt-get', ...options, ...args]).catch(() => {});
  const install = () => aptGet('install', '--no-install-recommends', program);
  await install();
  if (await isThere(program)) return;
  // The package lists are missing or old.
  await aptGet('update');
  await install();
}

const HOW_TO_GET_IT =
  'there is no nats-server in the PATH: install it (Debian and Ubuntu: apt-get install nats-server; macOS: brew install ' +
  'nats-server; others: https://nats.io/download), or set NATS_URL to a server with JetStream';

/** Installs nats-server if that is possible without a prompt; otherwise throws instructions. */
export function ensureNatsServer(): Promise<void> {
  return ensureProgram('nats-server', HOW_TO_GET_IT);
}
