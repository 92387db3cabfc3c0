import * as grpc from '@grpc/grpc-js';
import { HealthImplementation, service as healthService } from 'grpc-health-check';
import type { Dependencies, DependencyStatus } from '../health';
import type { ServiceName } from '../proto';
import type { RpcConnection } from './client';

/** The gRPC health name of the service's dependencies. */
const DEPENDENCIES = 'dependencies';
const STATUS_TRAILER = 'parley-dependencies';

type Check = grpc.handleUnaryCall<{ service: string }, { status: string }>;
type Health = Record<string, unknown> & { check: Check };

/**
 * gRPC health for load balancers: whether this process serves, regardless of its dependencies, because a shared outage would
 * otherwise take all replicas out. The state of the dependencies is served under a separate name.
 */
export function healthOf(dependencies: Dependencies | undefined): HealthImplementation {
  const health = new HealthImplementation({ '': 'SERVING' });
  if (dependencies === undefined) return health;
  const addToServer = health.addToServer.bind(health);
  health.addToServer = (server) =>
    addToServer({
      addService: (definition: never, methods: Health) =>
        server.addService(definition, { ...methods, check: withDependencies(methods.check, dependencies) } as never),
    } as never);
  return health;
}

function withDependencies(check: Check, dependencies: Dependencies): Check {
  return (call, respond) => {
    if (call.request.service === DEPENDENCIES) void answerDependencies(dependencies, respond);
    else check(call, respond);
  };
}

async function answerDependencies(
  dependencies: Dependencies,
  respond: grpc.sendUnaryData<{ status: string }>,
): Promise<void> {
  const statuses = [...(await dependencies.states())].map(([name, { status }]) => [name, status] as const);
  const trailer = new grpc.Metadata();
  trailer.set(STATUS_TRAILER, JSON.stringify(Object.fromEntries(statuses)));
  respond(null, { status: statuses.every(([, status]) => status === 'ok') ? 'SERVING' : 'NOT_SERVING' }, trailer);
}

/** A service's answer to the health check. */
export type ServiceHealth =
  | { isServing: true; dependencies: Readonly<Record<string, DependencyStatus>> }
  | { isServing: false; error: grpc.ServiceError };

type Connection = Pick<RpcConnection<ServiceName>, 'raw'>;

/** Whether the connected service answers its gRPC health check within `timeoutMs`; for readiness probes. Never rejects. */
export function isServing(connection: Connection, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    check(connection, '', timeoutMs, (error, status) => resolve(!error && status === 'SERVING'));
  });
}

/** Asks the connected service for its dependencies, within `timeoutMs`. Services of earlier versions only answer that they serve. */
export function askHealth(connection: Connection, timeoutMs: number): Promise<ServiceHealth> {
  return new Promise((resolve) => {
    let error: grpc.ServiceError | null = null;
    const call = check(connection, DEPENDENCIES, timeoutMs, (failure) => {
      error = failure;
    });
    call.on('status', ({ metadata }) => {
      if (error && error.code !== grpc.status.NOT_FOUND) resolve({ isServing: false, error });
      else resolve({ isServing: true, dependencies: JSON.parse(String(metadata.get(STATUS_TRAILER)[0] ?? '{}')) });
    });
  });
}

function check(
  connection: Connection,
  service: string,
  timeoutMs: number,
  done: (error: grpc.ServiceError | null, status?: string) => void,
): grpc.ClientUnaryCall {
  const { path, requestSerialize, responseDeserialize } = healthService['Check'] as NonNullable<
    (typeof healthService)[string]
  >;
  return connection.raw.makeUnaryRequest(
    path,
    requestSerialize,
    responseDeserialize,
    { service },
    { deadline: Date.now() + timeoutMs },
    (error, response) => done(error, (response as { status?: string } | undefined)?.status),
  );
}
