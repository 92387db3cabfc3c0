import { connectRpc } from '@parley/shared/rpc';
import { basic, createOrganization, fillOrganization, findOrganization } from '../base/organization';
import type { Servers } from '../base/servers';
import { type ServiceName, startServices, stopServices } from '../base/services';

/** Parley with one large organization. */
export interface FilledParley {
  baseUrl: string;
  /** Addresses of the services. */
  addresses: Record<'realm' | 'messages', string>;
  pids: Record<ServiceName, number>;
  /** Addresses of the services' metrics. */
  metricsAddresses: string[];
  realmId: number;
  /** `Authorization` header of the organization's owner. */
  authorization: string;
  /** 0: an earlier run has made them, in the same data. */
  subscriptions: number;
  fillMs: number;
  stop(): Promise<void>;
}

export async function startFilledParley(
  servers: Servers,
  size: { users: number; channels: number },
  own: NodeJS.ProcessEnv = {},
): Promise<FilledParley> {
  const services = await startServices(servers, { own });
  const { realm, messages, events, gateway } = services;
  const { client, close } = connectRpc('realm', realm.address);
  const kept = await findOrganization(client);
  const owner = kept ?? (await createOrganization(client));
  const begunAt = performance.now();
  const subscriptions = kept ? 0 : await fillOrganization(client, size);
  const fillMs = performance.now() - begunAt;
  close();
  return {
    baseUrl: `http://${gateway.address}`,
    addresses: { realm: realm.address, messages: messages.address },
    pids: { realm: realm.pid, messages: messages.pid, events: events.pid, gateway: gateway.pid },
    metricsAddresses: Object.values(services).map(({ metricsAddress }) => metricsAddress),
    realmId: owner.realmId,
    authorization: basic(owner.email, owner.apiKey),
    subscriptions,
    fillMs,
    stop: () => stopServices(services),
  };
}
