import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startNats, startPostgres } from '@parley/shared/embedded';
import pg from 'pg';

export interface Servers {
  databaseUrl: string;
  natsUrl: string;
  /** Of the servers' processes. */
  pids: { postgres: number; nats: number };
}

/** Runs `work` with its own PostgreSQL and broker, both durable. */
export async function withServers(work: (servers: Servers) => Promise<void>, postgresSettings: readonly string[] = []) {
  const directory = mkdtempSync(path.join(tmpdir(), 'parley-bench-'));
  chmodSync(directory, 0o755);
  const postgres = await startConfigured(path.join(directory, 'postgres'), postgresSettings);
  const nats = await startNats({ directory: path.join(directory, 'nats'), isPersistent: true });
  try {
    await work({ databaseUrl: postgres.url, natsUrl: nats.url, pids: { postgres: postgres.pid, nats: nats.pid } });
  } finally {
    await nats.stop();
    await postgres.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Some settings, written `name = value`, apply at a server's start only: it is started twice. */
async function startConfigured(directory: string, settings: readonly string[]) {
  const options = { directory, isPersistent: true };
  const postgres = await startPostgres(options);
  if (settings.length === 0) return postgres;
  const client = new pg.Client(postgres.url);
  await client.connect();
  for (const setting of settings) await client.query(`alter system set ${setting}`);
  await client.end();
  await postgres.stop();
  return startPostgres(options);
}
