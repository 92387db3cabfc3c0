import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startNats } from '../embedded/nats';
import { startPostgres } from '../embedded/postgres';
import { provideTestServers } from './databases';

/** Jest's globalSetup: one real PostgreSQL and one real nats-server for all tests of a package. */
export default async function globalSetup(): Promise<void> {
  const directory = mkdtempSync(path.join(tmpdir(), 'parley-test-'));
  // NOTE: as root PostgreSQL runs as another user, who needs access to the folder.
  chmodSync(directory, 0o755);
  const [postgres, nats] = await Promise.all([
    startPostgres({ directory: path.join(directory, 'postgres'), isPersistent: false }),
    startNats({ directory: path.join(directory, 'nats'), isPersistent: false }),
  ]);
  provideTestServers({ databaseUrl: postgres.url, natsUrl: nats.url });
  Object.assign(globalThis, { stopTestServers: () => Promise.all([postgres.stop(), nats.stop()]), directory });
}
