import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

const HOW_TO_GET_IT =
  'there is no nats-server in the PATH: install it (Debian and Ubuntu: apt-get install nats-server; macOS: brew install ' +
  'nats-server; others: https://nats.io/download), or set NATS_URL to a server with JetStream';

/** Installs nats-server where that is possible without asking: on Debian, as root. Otherwise throws how to get it. */
export async function ensureNatsServer(): Promise<void> {
  if (await isThere('nats-server', '--version')) return;
  if (process.getuid?.() === 0 && (await isThere('apt-get', '--version'))) await installFromDebian();
  if (!(await isThere('nats-server', '--version'))) throw new Error(HOW_TO_GET_IT);
}

async function isThere(program: string, flag: string): Promise<boolean> {
  return run(program, [flag]).then(
    () => true,
    () => false,
  );
}

async function installFromDebian(): Promise<void> {
  process.stderr.write('installing nats-server with apt-get\n');
  const options = ['-o', 'DPkg::Lock::Timeout=300', '-q', '-y'];
  // Two test runs may come here at once: one waits for the other.
  const aptGet = (...args: string[]) =>
    run('env', ['DEBIAN_FRONTEND=noninteractive', 'apt-get', ...options, ...args]).catch(() => {});
  const install = () => aptGet('install', '--no-install-recommends', 'nats-server');
  await install();
  if (await isThere('nats-server', '--version')) return;
  // The lists of packages are missing or old.
  await aptGet('update');
  await install();
}
