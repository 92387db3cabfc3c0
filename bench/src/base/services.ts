import path from 'node:path';
import { MEMORY_SETTINGS } from '@parley/dev-env';
import { freePort } from '@parley/shared/embedded';
import { type ChildServer, startChild } from './child';
import type { Servers } from './servers';

export type ServiceName = 'realm' | 'messages' | 'events' | 'gateway';

export interface ServiceProcess extends ChildServer {
  /** Address of its metrics. */
  metricsAddress: string;
}

export type Services = Record<ServiceName | 'invites' | 'scheduler', ServiceProcess>;

/** The six services as processes, with the image's environment, without rate limits; `nodeOptions` are Node's own. */
export async function startServices(
  servers: Pick<Servers, 'databaseUrl' | 'natsUrl'>,
  { nodeOptions = [], own = {} }: { nodeOptions?: readonly string[]; own?: NodeJS.ProcessEnv } = {},
): Promise<Services> {
  const settings = { ...settingsFor(servers), ...own };
  const start = (service: string) => startService(service, settings, nodeOptions);
  const realm = await start('realm');
  settings['REALM_ADDRESS'] = realm.address;
  const [messages, invites] = await Promise.all([start('messages'), start('invites')]);
  settings['MESSAGES_ADDRESS'] = messages.address;
  settings['INVITES_ADDRESS'] = invites.address;
  const [events, scheduler] = await Promise.all([start('events'), start('scheduler')]);
  settings['EVENTS_ADDRESS'] = events.address;
  settings['SCHEDULER_ADDRESS'] = scheduler.address;
  const gateway = await start('gateway');
  return { realm, invites, scheduler, messages, events, gateway };
}

/** Another events service with its own settings, and a gateway in front of it, for comparisons. */
export async function startPollers(
  servers: Pick<Servers, 'databaseUrl' | 'natsUrl'>,
  { realm, messages, invites, scheduler }: Services,
  own: NodeJS.ProcessEnv,
): Promise<Pick<Services, 'events' | 'gateway'>> {
  const settings: NodeJS.ProcessEnv = {
    ...settingsFor(servers),
    REALM_ADDRESS: realm.address,
    MESSAGES_ADDRESS: messages.address,
    INVITES_ADDRESS: invites.address,
    SCHEDULER_ADDRESS: scheduler.address,
    ...own,
  };
  const events = await startService('events', settings, []);
  const gateway = await startService('gateway', { ...settings, EVENTS_ADDRESS: events.address }, []);
  return { events, gateway };
}

function settingsFor({ databaseUrl, natsUrl }: Pick<Servers, 'databaseUrl' | 'natsUrl'>): NodeJS.ProcessEnv {
  const image = { NODE_ENV: 'production', ...MEMORY_SETTINGS };
  return { ...image, DATABASE_URL: databaseUrl, NATS_URL: natsUrl, LOG_LEVEL: 'warn', RATE_LIMITS: 'off' };
}

async function startService(
  service: string,
  settings: NodeJS.ProcessEnv,
  nodeOptions: readonly string[],
): Promise<ServiceProcess> {
  const metricsAddress = `127.0.0.1:${await freePort()}`;
  const script = path.join(__dirname, `../../../services/${service}/dist/main.js`);
  const own = { METRICS_LISTEN: metricsAddress, ...(service === 'gateway' && { PORT: '0', BIND: '127.0.0.1' }) };
  return { ...(await startChild(script, [], { ...settings, ...own }, nodeOptions)), metricsAddress };
}

/** The gateway stops first: the others still answer its pending requests. */
export async function stopServices(services: Services): Promise<void> {
  for (const service of Object.values(services).reverse()) await service.stop();
}
