import { readdirSync, readFileSync } from 'node:fs';

/** Units of the figures in /proc/<pid>/stat, on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

export interface Used {
  parentPid: number;
  /** Processor time of the process, and of its children that have ended. */
  cpuMs: number;
  /** The same without its children. */
  ownCpuMs: number;
  /** Resident size; memory shared between processes counts for each. */
  residentMb: number;
  command: string;
}

/** Every process of the machine, by id. Linux only. */
export function readProcesses(): Map<number, Used> {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return new Map(pids.flatMap((pid) => readProcess(pid)));
}

function readProcess(pid: string): [number, Used][] {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number);
    const msOf = (ticks: readonly number[]) =>
      (ticks.reduce((sum, value) => sum + value, 0) * 1_000) / TICKS_PER_SECOND;
    const [cpuMs, ownCpuMs] = [msOf(fields.slice(11, 15)), msOf(fields.slice(11, 13))];
    // In pages of 4 KiB, as on the machines used for measurements.
    const residentMb = ((fields[21] as number) * 4_096) / 1e6;
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    const command = words.replace(/\s+/g, ' ').slice(0, 100);
    return [[Number(pid), { parentPid: fields[1] as number, cpuMs, ownCpuMs, residentMb, command }]];
  } catch {
    // It has ended meanwhile.
    return [];
  }
}

/** The process and all that descend from it. */
export function treeOf(root: number, processes: ReadonlyMap<number, Used>): Set<number> {
  const tree = new Set([root]);
  for (const pid of tree) {
    for (const [child, { parentPid }] of processes) if (parentPid === pid) tree.add(child);
  }
  return tree;
}
