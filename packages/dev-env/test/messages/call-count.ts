import type { MetricsServer } from '@parley/shared/observability';

/** Calls between the services of this process so far; for budgets. */
export async function callCount(metrics: MetricsServer): Promise<number> {
  const text = await (await fetch(`http://${metrics.address}/metrics`)).text();
  const counts = text.matchAll(/^parley_rpc_client_seconds_count(?:\{[^}]*\})? (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}
