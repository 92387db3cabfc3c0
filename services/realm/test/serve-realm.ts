import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connectRpc, type RpcConnection } from '@parley/shared/rpc';
import { silentLogger } from '@parley/shared/service';
import { cloneDatabases, dropDatabases, testPrefix, testServers } from '@parley/shared/testing';
import { loadConfig } from '../src/config';
import { create, MIGRATIONS } from '../src/service';

/** Starts a realm service with its own database, for the tests of one file; `connection()` connects to it. */
export function serveRealm() {
  const prefix = testPrefix();
  const { databaseUrl, natsUrl } = testServers();
  // For mails.
  const DATA_DIR = mkdtempSync(path.join(tmpdir(), 'parley-realm-'));
  const servers = { DATABASE_URL: databaseUrl, DATABASE_PREFIX: prefix, NATS_URL: natsUrl, NATS_PREFIX: prefix };
  const service = create(loadConfig({ ...servers, DATA_DIR }), { log: silentLogger });
  let realm: RpcConnection<'realm'>;

  beforeAll(async () => {
    await cloneDatabases(prefix, [{ service: 'realm', directory: MIGRATIONS }]);
    await service.start();
    realm = connectRpc('realm', service.address);
  });

  afterAll(async () => {
    realm.close();
    await service.stop();
    await dropDatabases(prefix, ['realm']);
    await rm(DATA_DIR, { recursive: true });
  });

  return { prefix, service, connection: () => realm };
}
