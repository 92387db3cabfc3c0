import { request } from 'undici';
import { readProcesses, treeOf, type Used } from '../base/processes';
import type { Servers } from '../base/servers';
import type { FilledParley } from '../operations/filled-parley';

/** CPU time in milliseconds, by printed name. */
export type CpuMs = Map<string, number>;

/** CPU time of Parley's processes so far, including its servers. */
export function cpuOfParley({ pids }: FilledParley, servers: Servers): CpuMs {
  const processes = readProcesses();
  const trees = Object.entries({ ...pids, postgres: servers.pids.postgres, nats: servers.pids.nats });
  return new Map(trees.map(([name, pid]) => [name, cpuOf(treeOf(pid, processes), processes)]));
}

/** The same for the two processes of the bare request, and PostgreSQL. */
export function cpuOfBare(pids: readonly number[], servers: Servers): CpuMs {
  const processes = readProcesses();
  const all = [...pids, ...treeOf(servers.pids.postgres, processes)];
  return new Map([['all', cpuOf(all, processes)]]);
}

function cpuOf(pids: Iterable<number>, processes: ReadonlyMap<number, Used>): number {
  return [...pids].reduce((sum, pid) => sum + (processes.get(pid)?.cpuMs ?? 0), 0);
}

/** CPU load of this machine by other processes, in shares of one core; from two readings. */
export function noiseBetween(
  before: ReadonlyMap<number, Used>,
  after: ReadonlyMap<number, Used>,
  { ours, elapsedMs }: { ours: ReadonlySet<number>; elapsedMs: number },
): number {
  const used = [...after].filter(([pid]) => !ours.has(pid));
  // Without children: those that have ended would count twice, or with all that they ever used.
  const cpuMs = used.reduce(
    (sum, [pid, { ownCpuMs }]) => sum + Math.max(0, ownCpuMs - (before.get(pid)?.ownCpuMs ?? 0)),
    0,
  );
  return cpuMs / elapsedMs;
}

const COUNT = /^parley_rpc_client_seconds_count(?:\{[^}]*\})? (\d+)$/gm;

/** Number of calls between services so far. */
export async function countCalls({ metricsAddresses }: FilledParley): Promise<number> {
  const texts = await Promise.all(
    metricsAddresses.map(async (address) => (await request(`http://${address}/metrics`)).body.text()),
  );
  return texts.flatMap((text) => [...text.matchAll(COUNT)]).reduce((sum, [, count]) => sum + Number(count), 0);
}
