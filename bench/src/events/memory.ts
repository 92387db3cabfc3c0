import { print } from '../base/command';
import type { ServiceName } from '../base/services';
import type { Organization } from './organization';
import type { Memory } from './report-memory';

const SERVICES = ['gateway', 'events'] as const satisfies readonly ServiceName[];
const KIB = 1024;

/** The growth of the services' memory by waiting clients. */
export class MemoryGrowth {
  #before: Memory[] = [];

  constructor(private readonly organization: Organization) {}

  /** Measures the baseline. */
  async start(): Promise<void> {
    this.#before = await this.#measure();
  }

  /** Prints the growth since the start, divided by `count`. */
  async printGrowth(name: string, count: number): Promise<void> {
    const now = await this.#measure();
    print(`  memory of ${count} ${name}, each`, '');
    const grown = now.map((memory, index) => growth(this.#before[index] as Memory, memory, count));
    for (const [index, service] of SERVICES.entries()) printMemory(service, grown[index] as Memory);
    printMemory('together', grown.reduce(sum));
  }

  #measure(): Promise<Memory[]> {
    return Promise.all(SERVICES.map((name) => this.organization.memoryOf(name)));
  }
}

function growth(before: Memory, now: Memory, count: number): Memory {
  return {
    residentBytes: (now.residentBytes - before.residentBytes) / count,
    heapBytes: (now.heapBytes - before.heapBytes) / count,
    externalBytes: (now.externalBytes - before.externalBytes) / count,
  };
}

function sum(a: Memory, b: Memory): Memory {
  return {
    residentBytes: a.residentBytes + b.residentBytes,
    heapBytes: a.heapBytes + b.heapBytes,
    externalBytes: a.externalBytes + b.externalBytes,
  };
}

function printMemory(name: string, { residentBytes, heapBytes, externalBytes }: Memory): void {
  const parts = [`resident ${kib(residentBytes)}`, `heap ${kib(heapBytes)}`, `beside the heap ${kib(externalBytes)}`];
  print(`    ${name.padEnd(42)} ${parts.join('  ')}`, '');
}

const kib = (bytes: number) => `${(bytes / KIB).toFixed(2)} KiB`.padStart(10);
