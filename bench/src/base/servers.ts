import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startNats, startPostgres } from '@parley/shared/embedded';

export interface Servers {
  databaseUrl: string;
  natsUrl: string;
  /** Of the servers' processes. */
  pids: { postgres: number; nats: number };
}

/** Runs `work` with its own PostgreSQL and broker, both durable. Their data stays in `keptIn`; without one it is deleted afterwards. */
export async function withServers(
  work: (servers: Servers) => Promise<void>,
  /** Of PostgreSQL, `name=value`. */
  settings: readonly string[] = [],
  keptIn?: string,
) {
  const directory = keptIn ?? mkdtempSync(path.join(tmpdir(), 'parley-bench-'));
  mkdirSync(directory, { recursive: true });
  chmodSync(directory, 0o755);
  const postgres = await startPostgres({
    directory: path.join(directory, 'postgres'),
    isPersistent: true,
    settings,
  });
  const nats = await startNats({ directory: path.join(directory, 'nats'), isPersistent: true });
  try {
    await work({ databaseUrl: postgres.url, natsUrl: nats.url, pids: { postgres: postgres.pid, nats: nats.pid } });
  } finally {
    await nats.stop();
    await postgres.stop();
    if (keptIn === undefined) rmSync(directory, { recursive: true, force: true });
  }
}
