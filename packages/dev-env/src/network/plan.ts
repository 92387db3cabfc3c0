import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '@parley/shared/embedded';
import { testServers } from '@parley/shared/testing';
import { JointProcess } from './joint-process';
import {
  type Overrides,
  type Replica,
  replicaInItsOwnProcess,
  replicaInThisProcess,
  type ServiceName,
} from './replica';

export interface PlanOptions {
  prefix: string;
  natsUrl?: string | undefined;
  brands?: readonly string[] | undefined;
  /** Number of replicas of each service; one by default. */
  counts: Partial<Record<ServiceName, number>>;
  /** Services whose replicas run as separate processes. */
  processes: readonly ServiceName[];
  /** Services whose replicas run in one separate process. */
  joint?: readonly ServiceName[] | undefined;
  /** The checkout whose compiled services run. */
  checkout?: (() => string) | undefined;
  onLine?: OnLine | undefined;
  overrides: Overrides;
  /** Of all services. */
  settings?: Readonly<Record<string, string>> | undefined;
}

/** Called with every line that a replica in a separate process prints. */
export type OnLine = (replica: { name: ServiceName; index: number }, line: string) => void;

export type Replicas = Readonly<Record<ServiceName, readonly Replica[]>>;

export const SERVICES: readonly ServiceName[] = ['realm', 'messages', 'invites', 'scheduler', 'events', 'gateway'];

/** The secret of invitations' keys. */
export const INVITATION_KEY_SECRET = 'what the keys of a test network are made of';

/** The secret of bots' keys. */
const BOT_KEY_SECRET = 'what the keys of a test network are made of';

/** A host name that only the network's own clients can resolve. */
export const EXTERNAL_HOST = 'parley.test';

/** Decides the addresses of all replicas, so that all can start at once and find one another. */
export async function planReplicas(options: PlanOptions): Promise<{ replicas: Replicas; addresses: Addresses }> {
  const addresses = await chooseAddresses(options.counts);
  const environment = environmentOf(options, addresses);
  const entries = SERVICES.map((name) => {
    const settings = addresses[name].map((LISTEN) => ({ ...environment, LISTEN, PORT: LISTEN.split(':')[1] }));
    return [name, replicasOf(name, settings, options)];
  });
  return { replicas: Object.fromEntries(entries), addresses };
}

function replicasOf(
  name: ServiceName,
  settings: readonly NodeJS.ProcessEnv[],
  { checkout, onLine, processes, joint = [], overrides }: PlanOptions,
): Replica[] {
  const lineOf = (index: number) => (line: string) => onLine?.({ name, index }, line);
  if (joint.includes(name)) {
    const process = new JointProcess(name, lineOf(0));
    return settings.map((each) => process.replica(each));
  }
  return settings.map((each, index) =>
    processes.includes(name)
      ? replicaInItsOwnProcess(name, each, { checkout, onLine: lineOf(index) })
      : replicaInThisProcess(name, each, overrides),
  );
}

type Addresses = Record<ServiceName, string[]>;

async function chooseAddresses(counts: Partial<Record<ServiceName, number>>): Promise<Addresses> {
  const entries = SERVICES.map(async (name) => {
    const ports = await Promise.all(Array.from({ length: counts[name] ?? 1 }, freePort));
    return [name, ports.map((port) => `127.0.0.1:${port}`)];
  });
  return Object.fromEntries(await Promise.all(entries));
}

function environmentOf(
  { prefix, natsUrl, brands, checkout, settings }: PlanOptions,
  addresses: Addresses,
): NodeJS.ProcessEnv {
  const servers = testServers();
  const named = SERVICES.map((name) => [`${name.toUpperCase()}_ADDRESS`, addresses[name].join(',')]);
  return {
    DATABASE_URL: servers.databaseUrl,
    DATABASE_PREFIX: prefix,
    // Each connection plans all statements anew: that is most of what tests cost PostgreSQL. Two registrations at a time are half of them.
    DATABASE_POOL: '4',
    NATS_URL: natsUrl ?? servers.natsUrl,
    NATS_PREFIX: prefix,
    EXTERNAL_HOST,
    API_BRANDS: brands?.join(',') ?? '',
    // Copies of the templates are migrated; asking takes two connections for each service.
    MIGRATE_ON_START: String(checkout !== undefined),
    VALIDATE_RESULTS: 'true',
    // Tests send requests as fast as they can.
    RATE_LIMITS: 'off',
    DATA_DIR: dataDirectoryOf(prefix),
    // Replicas, and networks with copies of one database, show the same keys.
    BOT_KEY_SECRET,
    INVITATION_KEY_SECRET,
    ...Object.fromEntries(named),
    ...settings,
  };
}

/** The folder of a network's uploaded files. */
export function dataDirectoryOf(prefix: string): string {
  return path.join(tmpdir(), `parley-${prefix}`);
}
