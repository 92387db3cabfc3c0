import { connectRpc, isServing } from '@parley/shared/rpc';
import { silentLogger } from '@parley/shared/service';
import { cloneDatabases, dropDatabases, testPrefix, testServers } from '@parley/shared/testing';
import { loadConfig } from '../src/config';
import { create, MIGRATIONS } from '../src/service';

const prefix = testPrefix();
const { databaseUrl, natsUrl } = testServers();

beforeAll(() => cloneDatabases(prefix, [{ service: 'scheduler', directory: MIGRATIONS }]));
afterAll(() => dropDatabases(prefix, ['scheduler']));

const environment = {
  DATABASE_URL: databaseUrl,
  DATABASE_PREFIX: prefix,
  NATS_URL: natsUrl,
  NATS_PREFIX: prefix,
  REALM_ADDRESS: '127.0.0.1:1',
  MESSAGES_ADDRESS: '127.0.0.1:1',
  INVITES_ADDRESS: '127.0.0.1:1',
};

describe('the scheduler service', () => {
  test('answers health from its start until its stop, and starts again on the same database', async () => {
    for (let start = 1; start <= 2; start += 1) {
      const service = create(loadConfig(environment), { log: silentLogger });
      await service.start();
      const connection = connectRpc('scheduler', service.address);
      expect(await isServing(connection, 5_000)).toBe(true);
      await service.stop();
      expect(await isServing(connection, 100)).toBe(false);
      connection.close();
    }
  });

  test('does not wait for an unreachable service when it stops', async () => {
    const service = create(loadConfig(environment), { log: silentLogger });
    await service.start();
    // The planning of digests asks realm at the start, and again every few minutes.
    const beganAtMs = performance.now();
    await service.stop();
    expect(performance.now() - beganAtMs).toBeLessThan(5_000);
  });

  test.each([
    [{ DATABASE_URL: undefined }, 'DATABASE_URL must be set'],
    [{ NATS_URL: 'http://broker' }, 'NATS_URL must be a nats:// address'],
    [{ DATABASE_POOL: '1' }, /^DATABASE_POOL .*\(it is "1"\)/],
  ])('refuses %j in one line that names the variable', (changed, expected) => {
    expect(() => loadConfig({ ...environment, ...changed })).toThrow(expected);
  });
});
