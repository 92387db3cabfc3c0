import path from 'node:path';
import { tryNats } from '@parley/shared/bus';
import { startNats, startPostgres } from '@parley/shared/embedded';
import { natsAccessOf } from '@parley/shared/service';
import pg from 'pg';
import { all } from '../all';
import { endUnanswering } from './end-unanswering';
import { openLogFile } from './log-file';
import type { RunningParts } from './running-parts';
import { type Running, supervise } from './supervise';

export interface Servers {
  databaseUrl: string;
  natsUrl: string;
}

const CONNECT_TIMEOUT_MS = 10_000;

/** The operator's own PostgreSQL and NATS if they are set, embedded ones otherwise. Rejects if one is unavailable. */
export async function startServers(parts: RunningParts): Promise<Servers> {
  const { DATABASE_URL, NATS_URL } = parts.config;
  const [databaseUrl, natsUrl] = await all([
    DATABASE_URL ? reachPostgres(DATABASE_URL) : startEmbedded(parts, 'postgres', startPostgres),
    NATS_URL ? reachNats({ ...parts.config, NATS_URL }) : startEmbedded(parts, 'nats', startNats, storesAgain),
  ]);
  return { databaseUrl, natsUrl } as Servers;
}

/** After a full disk NATS runs on, and stores nothing more until it is started again. */
function storesAgain(url: string): Promise<boolean> {
  return tryNats({ url }).then(
    () => true,
    () => false,
  );
}

async function startEmbedded(
  parts: RunningParts,
  name: string,
  start: typeof startPostgres,
  isAnswering?: (url: string) => Promise<boolean>,
): Promise<string> {
  const { DATA_DIR } = parts.config;
  const onOutput = openLogFile(path.join(DATA_DIR, 'log', `${name}.log`));
  let port: number | undefined;
  const report = (text: string) => parts.show(name, 'warn', text);
  const server = await supervise<Running & { url: string }>({
    async start() {
      // It keeps its port when it is restarted, because the services connect there.
      const started = await start({ directory: path.join(DATA_DIR, name), isPersistent: true, port, onOutput });
      if (isAnswering === undefined) return started;
      return endUnanswering(started, { isAnswering: ({ url }) => isAnswering(url), report });
    },
    report,
  });
  port = Number(new URL(server.first.url).port);
  parts.onStop(server.stop);
  return server.first.url;
}

async function reachPostgres(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  try {
    await client.connect();
  } catch (error) {
    throw new Error(`cannot use the PostgreSQL of DATABASE_URL: ${reasonOf(error)}`);
  } finally {
    await client.end().catch(() => {});
  }
  return url;
}

async function reachNats(config: Parameters<typeof natsAccessOf>[0]): Promise<string> {
  try {
    await tryNats(natsAccessOf(config));
  } catch (error) {
    throw new Error(`cannot use the NATS of NATS_URL, which must have JetStream: ${reasonOf(error)}`);
  }
  return config.NATS_URL;
}

/** For a name with several addresses the reason of a refused connection is in the inner errors. */
function reasonOf(error: unknown): string {
  const { message, errors } = error as AggregateError;
  return message || errors?.map((inner: Error) => inner.message).join(', ') || String(error);
}
