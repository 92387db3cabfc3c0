import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Closing, RestartableServer, SERVICES, TestNetwork } from '@parley/dev-env';
import { startNats, startPostgres } from '@parley/shared/embedded';
import { provideTestServers } from '@parley/shared/testing';

const REPLICAS = { gateway: 2, realm: 2, messages: 2, events: 3, invites: 2, scheduler: 2 };

export interface ChaosNetwork {
  network: TestNetwork;
  postgres: RestartableServer;
  nats: RestartableServer;
  stop(): Promise<void>;
}

/** Starts a deployment with its own durable servers; each replica of each service is a process. */
export async function startChaosNetwork(): Promise<ChaosNetwork> {
  const directory = mkdtempSync(path.join(tmpdir(), 'parley-chaos-'));
  // NOTE: as root PostgreSQL runs as another user, who needs access to the folder.
  chmodSync(directory, 0o755);
  const closing = new Closing();
  closing.add(() => rmSync(directory, { recursive: true, force: true }));
  const postgres = new RestartableServer(startPostgres, path.join(directory, 'postgres'));
  const nats = new RestartableServer(startNats, path.join(directory, 'nats'));
  for (const server of [postgres, nats]) closing.add(() => server.stop());
  try {
    await Promise.all([postgres.start(), nats.start()]);
    provideTestServers({ databaseUrl: postgres.url, natsUrl: nats.url });
    const settings = { RATE_LIMITS: 'off' };
    const network = await TestNetwork.create({ processes: SERVICES, replicas: REPLICAS, settings });
    closing.add(() => network.stop());
    return { network, postgres, nats, stop: () => closing.close() };
  } catch (error) {
    await closing.close();
    throw error;
  }
}
