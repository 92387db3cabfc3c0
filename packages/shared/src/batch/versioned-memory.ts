import { LRUCache } from 'lru-cache';
import type { Clock } from '../values';

const MAX_AGE_MS = 10 * 60_000;

/**
 * Answers with their versions, for a caller who asks each time whether the version is still the newest. The least recently used go
 * first when there are too many bytes; each is forgotten after a while, so that a new release's texts reach everybody.
 */
export class VersionedMemory<Value> {
  readonly #entries: LRUCache<string, { version: string; value: Value }>;

  constructor(clock: Clock, maxBytes: number) {
    this.#entries = new LRUCache({ maxSize: maxBytes, ttl: MAX_AGE_MS, ttlResolution: 0, perf: clock });
  }

  recall(key: string): { version: string; value: Value } | undefined {
    return this.#entries.get(key);
  }

  /** A value larger than the whole memory is not stored. */
  keep(key: string, version: string, value: Value, bytes: number): void {
    this.#entries.set(key, { version, value }, { size: Math.max(1, bytes) });
  }
}
