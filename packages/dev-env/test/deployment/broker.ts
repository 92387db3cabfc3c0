import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '@parley/shared/embedded';

const READY = /Server is ready/;

export interface RunningBroker {
  /** host:port */
  address: string;
  stop(): Promise<void>;
}

/** Runs a server with the settings of a deployment, except its address, its peers and its data directory. */
export async function runBroker(settings: string, password: string): Promise<RunningBroker> {
  const directory = mkdtempSync(path.join(tmpdir(), 'parley-nats-'));
  const file = path.join(directory, 'nats.conf');
  writeFileSync(
    file,
    settings
      .replace(/^cluster \{[\s\S]*?^\}$/m, '')
      .replace(/^http_port.*$/m, '')
      .replaceAll('/data', directory),
  );
  const address = `127.0.0.1:${await freePort()}`;
  const [host, port] = address.split(':') as [string, string];
  const elsewhere = ['--addr', host, '--port', port, '--pid', path.join(directory, 'pid')];
  const server = spawn('nats-server', ['--config', file, ...elsewhere], {
    env: { ...process.env, NATS_PASSWORD: password },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await untilReady(server);
  return {
    address,
    async stop() {
      const ended = once(server, 'exit');
      server.kill('SIGKILL');
      await ended;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function untilReady(server: ChildProcess): Promise<void> {
  let output = '';
  for await (const text of server.stderr?.setEncoding('utf8').iterator({ destroyOnReturn: false }) ?? []) {
    output += text;
    if (READY.test(output)) return void server.stderr?.resume();
  }
  throw new Error(`nats-server did not start: ${output}`);
}
