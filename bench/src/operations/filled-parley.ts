import { connectRpc, newCall } from '@parley/shared/rpc';
import { basic, type ServiceName, startServices } from '../parley';
import type { Servers } from '../with-servers';

const FILL_TIMEOUT_MS = 300_000;

/** Parley with one large organization. */
export interface FilledParley {
  baseUrl: string;
  /** Where services answer. */
  addresses: Record<'realm' | 'messages', string>;
  pids: Record<ServiceName, number>;
  /** Where services tell their metrics. */
  metricsAddresses: string[];
  realmId: number;
  /** `Authorization` header of the organization's owner. */
  authorization: string;
  subscriptions: number;
  fillMs: number;
  stop(): Promise<void>;
}

export async function startFilledParley(
  { databaseUrl, natsUrl }: Servers,
  size: { users: number; channels: number },
): Promise<FilledParley> {
  const services = await startServices(databaseUrl, natsUrl);
  const realm = connectRpc('realm', services.realm.address);
  const owner = await realm.client.createRealm(newCall(), {
    name: 'Bench',
    subdomain: '',
    ownerEmail: 'owner@bench.example',
    ownerName: 'The Owner',
  });
  const begun = performance.now();
  const filled = await realm.client.fillRealm(newCall(undefined, FILL_TIMEOUT_MS), { subdomain: '', ...size, seed: 1 });
  const fillMs = performance.now() - begun;
  realm.close();
  return {
    baseUrl: `http://${services.gateway.address}`,
    addresses: { realm: services.realm.address, messages: services.messages.address },
    pids: {
      realm: services.realm.pid,
      messages: services.messages.pid,
      events: services.events.pid,
      gateway: services.gateway.pid,
    },
    metricsAddresses: Object.values(services).map(({ metricsAddress }) => metricsAddress),
    realmId: owner.realmId,
    authorization: basic(owner.email, owner.apiKey),
    subscriptions: filled.subscriptions,
    fillMs,
    async stop() {
      for (const service of Object.values(services).reverse()) await service.stop();
    },
  };
}
