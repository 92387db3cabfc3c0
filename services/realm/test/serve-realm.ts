import { connectRpc, type RpcConnection } from '@parley/shared/rpc';
import { silentLogger } from '@parley/shared/service';
import { cloneDatabases, dropDatabases, testPrefix, testServers } from '@parley/shared/testing';
import { loadConfig } from '../src/config';
import { create, MIGRATIONS } from '../src/service';

/** Starts a realm service with its own database, for the tests of one file; `connection()` connects to it. */
export function serveRealm() {
  const prefix = testPrefix();
  const { databaseUrl, natsUrl } = testServers();
  const service = create(
    loadConfig({ DATABASE_URL: databaseUrl, DATABASE_PREFIX: prefix, NATS_URL: natsUrl, NATS_PREFIX: prefix }),
    { log: silentLogger },
  );
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
  });

  return { prefix, service, connection: () => realm };
}
