import type { ServiceName } from '@parley/shared/proto';
import { isServing, type RpcConnection } from '@parley/shared/rpc';
import type { Answer } from './answer';

const TIMEOUT_MS = 1_000;

export type Connections = Readonly<Partial<Record<ServiceName, Pick<RpcConnection<ServiceName>, 'raw'>>>>;

/** GET /health/ready: whether the services that every request needs are there. */
export async function readiness(connections: Connections): Promise<Answer> {
  const entries = Object.entries(connections);
  const answers = await Promise.all(entries.map(([, connection]) => isServing(connection, TIMEOUT_MS)));
  const services = Object.fromEntries(entries.map(([name], index) => [name, answers[index]]));
  const isReady = answers.every(Boolean);
  return { status: isReady ? 200 : 503, body: JSON.stringify({ ready: isReady, services }) };
}

/** GET /health/live: this process answers. */
export function liveness(): Answer {
  return { status: 200, body: JSON.stringify({ live: true }) };
}
