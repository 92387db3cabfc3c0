import type { DependencyState } from '@parley/shared/health';
import type { Answer } from '../http/answer';
import type { GatewayHealth } from './gateway-health';

/** The services without which a gateway can serve almost nothing. */
export const NEEDED = ['realm', 'messages', 'events'] as const;

/**
 * GET /health/ready, for load balancers: a gateway that has never reached the services is not ready, nor is one that cannot reach
 * a service that other gateways reach. A service that no gateway reaches makes none unready: requests are answered with 503
 * meanwhile.
 */
export async function readiness(health: GatewayHealth): Promise<Answer> {
  const reached = await health.reached();
  const services = Object.fromEntries(NEEDED.map((name) => [name, reached.has(name)]));
  const isReady = await health.isReady(reached);
  const body = JSON.stringify({ ready: isReady, services });
  return isReady ? { status: 200, body } : { status: 503, body, headers: { 'Retry-After': '1' } };
}

/** GET /health/live: this process answers. */
export function liveness(): Answer {
  return { status: 200, body: JSON.stringify({ live: true }) };
}

/** GET /health/dependencies, for people and monitoring: which dependencies are unreachable, since when, and why. Not for load balancers. */
export async function dependencies(health: GatewayHealth): Promise<Answer> {
  const states = [...(await health.states())];
  const isOk = states.every(([, { status }]) => status === 'ok');
  const described = states.map(([name, state]) => [name, describe(state)]);
  return { status: 200, body: JSON.stringify({ ok: isOk, dependencies: Object.fromEntries(described) }) };
}

function describe({ status, sinceMs, reason }: DependencyState) {
  return { status, since: new Date(sinceMs).toISOString(), ...(reason && { reason }) };
}
