import { ConfigError, silentLogger } from '@parley/shared/service';
import { cloneDatabases, dropDatabases, testPrefix, testServers } from '@parley/shared/testing';
import { loadConfig } from './config';
import { create, MIGRATIONS } from './service';

const prefix = testPrefix();
beforeAll(() => cloneDatabases(prefix, [{ service: 'realm', directory: MIGRATIONS }]));
afterAll(() => dropDatabases(prefix, ['realm']));

async function startWith(settings: NodeJS.ProcessEnv): Promise<void> {
  const { databaseUrl, natsUrl } = testServers();
  const own = { DATABASE_URL: databaseUrl, DATABASE_PREFIX: prefix, NATS_URL: natsUrl, NATS_PREFIX: prefix };
  const service = create(loadConfig({ ...own, ...settings }), { log: silentLogger });
  await service.start();
  await service.stop();
}

test('once there was a secret, a start without one is refused; another one may take its place', async () => {
  await startWith({});
  await startWith({ BOT_KEY_SECRET: 'the first secret, with which keys are made' });
  for (const settings of [{}, { BOT_KEY_SECRET: '' }])
    await expect(startWith(settings)).rejects.toBeInstanceOf(ConfigError);
  await startWith({ BOT_KEY_SECRET: 'the second secret, since the first is known' });
});
