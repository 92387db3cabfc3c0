import { readProcesses, treeOf } from '../base/processes';

/** Processor time in milliseconds that each of the processes, with its children, has used since the start. */
export class ProcessorTime {
  readonly #before: ReadonlyMap<string, number>;

  constructor(private readonly pids: Readonly<Record<string, number>>) {
    this.#before = this.#now();
  }

  used(): [string, number][] {
    return [...this.#now()].map(([name, cpuMs]) => [name, cpuMs - (this.#before.get(name) ?? 0)]);
  }

  #now(): Map<string, number> {
    const processes = readProcesses();
    const cpuMsOf = (root: number) =>
      [...treeOf(root, processes)].reduce((sum, pid) => sum + (processes.get(pid)?.cpuMs ?? 0), 0);
    return new Map(Object.entries(this.pids).map(([name, pid]) => [name, cpuMsOf(pid)]));
  }
}
