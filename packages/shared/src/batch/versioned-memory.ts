import type { Clock } from '../values';

const MAX_AGE_MS = 10 * 60_000;

interface Entry<Value> {
  version: string;
  value: Value;
  bytes: number;
  sinceMs: number;
}

/**
 * What was told of late, with its version: whoever has told it is asked each time whether it still holds. What was used least
 * recently goes first when it is too much; all of it goes after a while, so that a new release's words reach everybody.
 */
export class VersionedMemory<Value> {
  /** The most recently used last. */
  readonly #entries = new Map<string, Entry<Value>>();
  #bytes = 0;

  constructor(
    private readonly clock: Clock,
    private readonly maxBytes: number,
  ) {}

  recall(key: string): { version: string; value: Value } | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#remove(key, entry);
    if (this.clock.now() - entry.sinceMs >= MAX_AGE_MS) return undefined;
    this.#add(key, entry);
    return entry;
  }

  keep(key: string, version: string, value: Value, bytes: number): void {
    const former = this.#entries.get(key);
    if (former) this.#remove(key, former);
    this.#add(key, { version, value, bytes, sinceMs: this.clock.now() });
    for (const [oldest, entry] of this.#entries) {
      if (this.#bytes <= this.maxBytes) return;
      this.#remove(oldest, entry);
    }
  }

  #add(key: string, entry: Entry<Value>): void {
    this.#entries.set(key, entry);
    this.#bytes += entry.bytes;
  }

  #remove(key: string, { bytes }: Entry<Value>): void {
    this.#entries.delete(key);
    this.#bytes -= bytes;
  }
}
