import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { freePort } from '@parley/shared/embedded';
import { all } from '../all';
import { createConsoleLog } from './console-log';
import type { KeptSecrets } from './kept-secret';
import { openLogFile } from './log-file';
import { mainOf } from './main-of';
import type { RunningParts } from './running-parts';
import type { Servers } from './servers';
import { startServiceProcess } from './service-process';
import { supervise } from './supervise';

const INNER_SERVICES = ['realm', 'messages', 'invites', 'scheduler', 'events'] as const;

type InnerService = (typeof INNER_SERVICES)[number];
type ServiceName = InnerService | 'gateway';

export type Addresses = Record<InnerService, string>;

/** Starts the six services, each as a separate process on a free port, and restarts them. Resolves with their addresses. */
export async function startServices(parts: RunningParts, servers: Servers, secrets: KeptSecrets): Promise<Addresses> {
  const addresses = await chooseAddresses();
  const environment = environmentOf(parts, { servers, secrets, addresses });
  const stops: (() => Promise<void>)[] = [];
  parts.onStop(() => Promise.all(stops.map((stop) => stop())));
  await all(
    INNER_SERVICES.map(async (service) => {
      stops.push(await startService(parts, service, { ...environment, LISTEN: addresses[service] }));
    }),
  );
  // Started last and stopped first: the others still answer its pending requests.
  parts.onStop(await startService(parts, 'gateway', environment));
  return addresses;
}

async function chooseAddresses(): Promise<Addresses> {
  const entries = INNER_SERVICES.map(async (service) => [service, `127.0.0.1:${await freePort()}`] as const);
  return Object.fromEntries(await Promise.all(entries)) as Addresses;
}

/** The settings of all services together: each reads its own. */
function environmentOf(
  { config }: RunningParts,
  { servers, secrets, addresses }: { servers: Servers; secrets: KeptSecrets; addresses: Addresses },
): NodeJS.ProcessEnv {
  const named = INNER_SERVICES.map((service) => [`${service.toUpperCase()}_ADDRESS`, addresses[service]]);
  return {
    // Generated for this run: a restarted gateway must accept addresses that were signed before.
    UPLOAD_TOKEN_SECRET: randomBytes(32).toString('hex'),
    EXTERNAL_HOST: `127.0.0.1:${config.PORT}`,
    ...config.environment,
    ...secrets,
    DATA_DIR: config.DATA_DIR,
    PORT: String(config.PORT),
    BIND: config.BIND,
    DATABASE_URL: servers.databaseUrl,
    NATS_URL: servers.natsUrl,
    ...Object.fromEntries(named),
  };
}

/** Resolves with the function that stops it. */
async function startService(
  parts: RunningParts,
  service: ServiceName,
  environment: NodeJS.ProcessEnv,
): Promise<() => Promise<void>> {
  const { DATA_DIR, LOG_LEVEL = 'warn' } = parts.config;
  const logFile = path.join(DATA_DIR, 'log', `${service}.log`);
  const append = openLogFile(logFile);
  const show = createConsoleLog({ service, level: LOG_LEVEL, logFile, show: parts.show });
  const onLine = (line: string) => {
    append(`${line}\n`);
    show(line);
  };
  try {
    const { stop } = await supervise({
      start: () => startServiceProcess({ main: mainOf(service), environment, onLine }),
      report: (text) => parts.show(service, 'warn', text),
    });
    return stop;
  } catch (error) {
    throw new Error(`${service} did not start: ${(error as Error).message}`);
  }
}
