/** The memory of a process after a garbage collection. */
export interface Memory {
  residentBytes: number;
  heapBytes: number;
  /** Buffers, and other memory that V8 counts but does not keep in its heap. */
  externalBytes: number;
}

export const MEMORY_QUESTION = 'memory';

/** V8 returns freed pages to the system a little later. */
const RETURN_MS = 500;

/** Preloaded into a service with --expose-gc: reports its memory over IPC. */
process.on('message', (message) => {
  if (message !== MEMORY_QUESTION) return;
  // Twice: finalizers of the first collection release more.
  globalThis.gc?.();
  globalThis.gc?.();
  setTimeout(report, RETURN_MS);
});

function report(): void {
  // Work during the collection has produced garbage, too.
  globalThis.gc?.();
  const { rss: residentBytes, heapUsed: heapBytes, external: externalBytes } = process.memoryUsage();
  process.send?.({ memory: { residentBytes, heapBytes, externalBytes } satisfies Memory });
}
