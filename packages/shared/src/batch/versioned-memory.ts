import { LRUCache } from 'lru-cache';
import type { Clock } from '../values';

const MAX_AGE_MS = 10 * 60_000;

/**
 * Caches values with their versions, for callers that check the newest version before each use. Evicts the least recently used above a
 * number of bytes; every value expires after a while, so that a new release's texts appear.
 */
export class VersionedMemory<Value> {
  readonly #entries: LRUCache<string, { version: string; value: Value }>;

  constructor(clock: Clock, maxBytes: number) {
    this.#entries = new LRUCache({ maxSize: maxBytes, ttl: MAX_AGE_MS, ttlResolution: 0, perf: clock });
  }

  recall(key: string): { version: string; value: Value } | undefined {
    return this.#entries.get(key);
  }

  /** A value larger than the whole cache is not stored. */
  keep(key: string, version: string, value: Value, bytes: number): void {
    this.#entries.set(key, { version, value }, { size: Math.max(1, bytes) });
  }
}
