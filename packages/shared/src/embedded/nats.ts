import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { freePort } from './free-port';

export interface EmbeddedNats {
  url: string;
  /** Of the server's process; for tests that kill or pause it. */
  pid: number;
  stop(): Promise<void>;
}

export interface NatsOptions {
  directory: string;
  /** False: the data is removed at the end. */
  isPersistent: boolean;
  /** A free one unless given. */
  port?: number;
}

const READY = /Server is ready/;
const START_TIMEOUT_MS = 10_000;

/** Starts the `nats-server` of the PATH with JetStream on 127.0.0.1; for `npm start` and tests. */
export async function startNats({ directory, isPersistent, port: wanted }: NatsOptions): Promise<EmbeddedNats> {
  mkdirSync(directory, { recursive: true });
  const port = wanted ?? (await freePort());
  const config = path.join(directory, 'nats.conf');
  // The rendering of one long message may exceed the default of 1 MB.
  writeFileSync(config, `max_payload: 8MB\njetstream { store_dir: "${path.join(directory, 'jetstream')}" }\n`);
  const child = spawn('nats-server', ['-a', '127.0.0.1', '-p', String(port), '-c', config], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await untilReady(child);
  return {
    url: `nats://127.0.0.1:${port}`,
    pid: child.pid as number,
    async stop() {
      await ended(child);
      if (!isPersistent) await rm(directory, { recursive: true, force: true });
    },
  };
}

function untilReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = '';
    const fail = (why: string) => reject(new Error(`nats-server did not start: ${why}`));
    const timer = setTimeout(() => fail(`silent for ${START_TIMEOUT_MS} ms`), START_TIMEOUT_MS);
    child.once('error', (error: NodeJS.ErrnoException) =>
      fail(error.code === 'ENOENT' ? 'there is no nats-server in the PATH' : error.message),
    );
    child.once('exit', () => fail(output.trim().split('\n').at(-1) ?? ''));
    child.stderr?.on('data', (chunk) => {
      output = (output + chunk).slice(-10_000);
      if (!READY.test(output)) return;
      clearTimeout(timer);
      resolve();
    });
  });
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}
