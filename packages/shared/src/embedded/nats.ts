import { mkdirSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { ensureNatsServer } from './ensure-program';
import { freePort } from './free-port';
import {
  type EmbeddedServer,
  type ServerOptions,
  startGuarded,
  untilFormerServerEnded,
  untilReady,
} from './server-process';

const READY = /Server is ready/;
const START_TIMEOUT_MS = 30_000;

interface NatsOptions extends ServerOptions {
  /** Further lines of its configuration; for tests of clusters. */
  settings?: readonly string[];
}

/**
 * Starts the `nats-server` of the PATH with JetStream on 127.0.0.1; for `npm start` and tests. Rejects with a one-line
 * reason.
 */
export async function startNats(options: NatsOptions): Promise<EmbeddedServer> {
  const { isPersistent, settings = [] } = options;
  const directory = path.resolve(options.directory);
  await ensureNatsServer();
  mkdirSync(directory, { recursive: true });
  const pidFile = path.join(directory, 'nats.pid');
  const configFile = path.join(directory, 'nats.conf');
  await untilFormerServerEnded(pidFile, configFile);
  const port = options.port ?? (await freePort());
  writeFileSync(configFile, [...configuration(directory, pidFile, port), ...settings, ''].join('\n'));
  const server = await startGuarded('nats-server', ['-c', configFile], { stdio: ['ignore', 'ignore', 'pipe'] });
  await untilReady(server, {
    name: `nats-server, with the data in ${directory},`,
    ready: READY,
    reasonIn,
    timeoutMs: START_TIMEOUT_MS,
    onOutput: options.onOutput,
  });
  return {
    url: `nats://127.0.0.1:${port}`,
    pid: server.pid,
    ended: server.ended,
    async stop() {
      await server.stop();
      if (!isPersistent) await rm(directory, { recursive: true, force: true });
    },
  };
}

function configuration(directory: string, pidFile: string, port: number): string[] {
  return [
    `listen: "127.0.0.1:${port}"`,
    // The rendering of one long message may exceed the default of 1 MB.
    'max_payload: 8MB',
    `pid_file: ${JSON.stringify(pidFile)}`,
    // Streams reserve their maximum size; many small test networks share one broker.
    `jetstream { store_dir: ${JSON.stringify(path.join(directory, 'jetstream'))}, max_file_store: 1TB }`,
  ];
}

function reasonIn(output: string): string | undefined {
  return /(?:\[FTL\]|nats-server:)\s+(.*)/.exec(output)?.[1];
}
