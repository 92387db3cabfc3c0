import * as eventsConfig from '@parley/events/config';
import * as events from '@parley/events/service';
import * as gatewayConfig from '@parley/gateway/config';
import * as gateway from '@parley/gateway/service';
import * as invitesConfig from '@parley/invites/config';
import * as invites from '@parley/invites/service';
import * as messagesConfig from '@parley/messages/config';
import * as messages from '@parley/messages/service';
import * as realmConfig from '@parley/realm/config';
import * as realm from '@parley/realm/service';
import * as schedulerConfig from '@parley/scheduler/config';
import * as scheduler from '@parley/scheduler/service';
import type { DatabaseService, Logger, Service } from '@parley/shared/service';
import type { Clock } from '@parley/shared/values';
import { mainOf } from '../start/main-of';
import { type ServiceProcess, startServiceProcess } from '../start/service-process';

export type ServiceName = 'realm' | 'messages' | 'invites' | 'scheduler' | 'events' | 'gateway';

export interface Overrides {
  clock?: Clock;
  log: Logger;
}

/** One replica of a service in a test network; it keeps its address when it is restarted. */
export interface Replica {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** For a replica in a separate process. */
  signal(signal: NodeJS.Signals): void;
  /** Kills a replica in a separate process (SIGKILL). Resolves when it is dead. */
  kill(): Promise<void>;
  /** The service itself, if it runs in this process. */
  readonly service: AnyService | undefined;
  /** The metrics address of a replica in a separate process, see METRICS_LISTEN. */
  readonly metrics: string | undefined;
}

type AnyService = Service & Partial<Pick<DatabaseService, 'db'> & Pick<events.EventsService, 'caughtUp' | 'counters'>>;
type Create = (environment: NodeJS.ProcessEnv, overrides: Overrides) => AnyService;

const CREATE: Readonly<Record<ServiceName, Create>> = {
  realm: (environment, overrides) => realm.create(realmConfig.loadConfig(environment), overrides),
  messages: (environment, overrides) => messages.create(messagesConfig.loadConfig(environment), overrides),
  invites: (environment, overrides) => invites.create(invitesConfig.loadConfig(environment), overrides),
  scheduler: (environment, overrides) => scheduler.create(schedulerConfig.loadConfig(environment), overrides),
  events: (environment, overrides) => events.create(eventsConfig.loadConfig(environment), overrides),
  gateway: (environment, overrides) => gateway.create(gatewayConfig.loadConfig(environment), overrides),
};

/** For the databases' templates. */
export const SCHEMAS = [
  { service: 'realm', directory: realm.MIGRATIONS },
  { service: 'messages', directory: messages.MIGRATIONS },
  { service: 'invites', directory: invites.MIGRATIONS },
  { service: 'scheduler', directory: scheduler.MIGRATIONS },
] as const;

export function replicaInThisProcess(name: ServiceName, environment: NodeJS.ProcessEnv, overrides: Overrides): Replica {
  let service: AnyService | undefined;
  return {
    get service() {
      return service;
    },
    metrics: undefined,
    async start() {
      service = CREATE[name](environment, overrides);
      await service.start();
    },
    async stop() {
      await service?.stop();
      service = undefined;
    },
    signal: () => {
      throw notAProcess(name);
    },
    kill: () => Promise.reject(notAProcess(name)),
  };
}

function notAProcess(name: ServiceName): Error {
  return new Error(`${name} runs in the test's own process: name it in the option "processes"`);
}

export interface ProcessOptions {
  /** The folder of the compiled services to run; read at every start. */
  checkout: (() => string) | undefined;
  /** Called with each line of its output. */
  onLine: (line: string) => void;
}

/** Runs the compiled service: `npm run build` must come first. */
export function replicaInItsOwnProcess(
  name: ServiceName,
  environment: NodeJS.ProcessEnv,
  { checkout, onLine }: ProcessOptions,
): Replica {
  let running: ServiceProcess | undefined;
  return {
    service: undefined,
    get metrics() {
      return running?.metrics;
    },
    async start() {
      const all = { ...process.env, ...environment };
      running = await startServiceProcess({ main: mainOf(name, checkout?.()), environment: all, onLine });
    },
    async stop() {
      await running?.stop();
      running = undefined;
    },
    signal(signal) {
      if (running) process.kill(running.pid, signal);
    },
    async kill() {
      if (running) process.kill(running.pid, 'SIGKILL');
      await running?.ended;
      running = undefined;
    },
  };
}
