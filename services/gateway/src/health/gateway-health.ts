import {
  away,
  type Dependency,
  type DependencyState,
  type Finding,
  full,
  needsDisk,
  OK,
  watchDependencies,
} from '@parley/shared/health';
import type { ServiceName } from '@parley/shared/proto';
import { askHealth, explainAbsence, type RpcConnection, type ServiceHealth, type TlsFiles } from '@parley/shared/rpc';
import type { Logger } from '@parley/shared/service';
import { NEEDED } from './health';
import type { OtherGateways } from './other-gateways';

const ASK_MS = 1_000;
/** The reason why a service does not answer is examined separately. */
const LOOK_MS = 1_800;

export interface Target {
  connection: Pick<RpcConnection<ServiceName>, 'raw'>;
  address: string;
}

export interface GatewayHealthOptions {
  targets: Readonly<Partial<Record<ServiceName, Target>>>;
  tls: TlsFiles | undefined;
  /** Directory of uploaded files; absent: they are in a bucket. */
  directory: string | undefined;
  others: Pick<OtherGateways, 'reachAny'>;
  log: Logger;
}

/** The state of this gateway's dependencies, from which its readiness follows. */
export interface GatewayHealth {
  states(): Promise<ReadonlyMap<string, DependencyState>>;
  /** The services that answer. */
  reached(): Promise<ReadonlySet<string>>;
  isReady(reached: ReadonlySet<string>): Promise<boolean>;
  stop(): void;
}

export function createGatewayHealth({ targets, tls, directory, others, log }: GatewayHealthOptions): GatewayHealth {
  const asked = askTogether(targets);
  const services = Object.entries(targets).map(([name, { address }]) => neededService(name, { address, tls }, asked));
  const shared = [
    neededByServices('postgresql', 'PostgreSQL', asked),
    neededByServices('nats', 'NATS', asked),
    neededByServices('disk', 'the disk', asked, directory === undefined ? undefined : needsDisk(directory)),
  ];
  const watch = watchDependencies('gateway', [...shared, ...services], log, LOOK_MS);
  let wasReady = false;

  async function reached(): Promise<ReadonlySet<string>> {
    const states = await watch.states();
    return new Set(Object.keys(targets).filter((name) => states.get(name)?.status === 'ok'));
  }

  return {
    states: watch.states,
    reached,
    async isReady(reachedNow) {
      const missing = NEEDED.filter((name) => !reachedNow.has(name));
      if (missing.length === 0) wasReady = true;
      else if (!wasReady || (await others.reachAny(missing))) return false;
      return true;
    },
    stop: watch.stop,
  };
}

type Asked = () => Promise<ReadonlyMap<string, ServiceHealth>>;

/** Each service is called once for all concurrent requests about it. */
function askTogether(targets: GatewayHealthOptions['targets']): Asked {
  let asking: ReturnType<Asked> | undefined;
  const ask = async () => {
    const answers = Object.entries(targets).map(
      async ([name, { connection }]) => [name, await askHealth(connection, ASK_MS)] as const,
    );
    return new Map(await Promise.all(answers));
  };
  return () => {
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  };
}

function neededService(
  service: string,
  { address, tls }: { address: string; tls: TlsFiles | undefined },
  asked: Asked,
) {
  return {
    name: service,
    async look() {
      const health = (await asked()).get(service) as ServiceHealth;
      return health.isServing ? OK : explainAbsence(health.error.details, { service, address, tls });
    },
  };
}

/** Adds services' own reports about their dependencies to this gateway's. */
function neededByServices(name: string, called: string, asked: Asked, own?: Dependency): Dependency {
  return {
    name,
    async look(): Promise<Finding> {
      const [found, answers] = await Promise.all([own?.look() ?? OK, asked()]);
      if (found.status !== 'ok') return found;
      const findings = [...answers].flatMap(([service, health]) => {
        const status = health.isServing ? health.dependencies[name] : undefined;
        return status === undefined ? [] : [{ service, status }];
      });
      if (findings.length === 0 && own === undefined) return away(`no service that uses ${called} answers`);
      const of = (wanted: string) => findings.filter(({ status }) => status === wanted).map(({ service }) => service);
      const [absent, filled] = [of('away'), of('full')];
      if (absent.length > 0) return away(`${called} does not answer ${absent.join(', ')}`);
      return filled.length > 0 ? full(`${called} is full, say ${filled.join(', ')}`) : OK;
    },
  };
}
