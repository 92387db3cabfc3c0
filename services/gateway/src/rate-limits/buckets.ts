export interface Limit {
  requests: number;
  windowMs: number;
}

/** The state of a bucket after a request. */
export interface RateLimitStatus {
  limit: number;
  remaining: number;
  /** UNIX milliseconds. */
  fullAtMs: number;
  /** Not 0: the request exceeded the limit, and did not count. */
  retryAfterMs: number;
}

export type Counts = [key: string, requests: number][];

const MAX_KEYS = 100_000;
/** Buckets used less than this part of the limit are not shared. */
const MIN_SHARED_PART = 0.1;
/** Tolerance for rounding errors. */
const ROUNDING_MS = 0.01;

/**
 * A bucket for each key: a request takes one token, and an empty bucket refills evenly within the window. Only the time when it will be
 * full is stored. Keeps the most recently used keys; a forgotten bucket counts as full.
 */
export class Buckets {
  readonly #fullAt = new Map<string, number>();
  /** Counts of this gateway that takeNewCounts has not returned yet. */
  readonly #news = new Map<string, number>();
  readonly #refillMs: number;

  constructor(
    private readonly limit: Limit,
    private readonly maxKeys = MAX_KEYS,
  ) {
    this.#refillMs = limit.windowMs / limit.requests;
  }

  take(key: string, nowMs: number): RateLimitStatus {
    const { requests: limit } = this.limit;
    const fullAtMs = this.#fullAtOf(key, nowMs);
    const roomMs = nowMs + this.limit.windowMs - fullAtMs - this.#refillMs + ROUNDING_MS;
    if (roomMs < 0) return { limit, remaining: 0, fullAtMs, retryAfterMs: -roomMs };
    this.#put(key, fullAtMs + this.#refillMs);
    this.#news.set(key, (this.#news.get(key) ?? 0) + 1);
    const remaining = Math.floor(roomMs / this.#refillMs);
    return { limit, remaining, fullAtMs: fullAtMs + this.#refillMs, retryAfterMs: 0 };
  }

  /** Milliseconds until there is a token; 0: there is one. Counts nothing. */
  waitMs(key: string, nowMs: number): number {
    return Math.max(0, this.#fullAtOf(key, nowMs) + this.#refillMs - ROUNDING_MS - nowMs - this.limit.windowMs);
  }

  /** Adds the counts of another gateway. */
  add(counts: Counts, nowMs: number): void {
    for (const [key, requests] of counts) {
      const fullAtMs = this.#fullAtOf(key, nowMs) + requests * this.#refillMs;
      this.#put(key, Math.min(fullAtMs, nowMs + this.limit.windowMs));
    }
  }

  /** The counts of this gateway since the last call, for at most `max` keys; small ones are left for later. */
  takeNewCounts(nowMs: number, max: number): Counts {
    const news: Counts = [];
    for (const [key, requests] of this.#news) {
      if (news.length === max) break;
      const usedMs = this.#fullAtOf(key, nowMs) - nowMs;
      if (usedMs > 0 && usedMs < MIN_SHARED_PART * this.limit.windowMs) continue;
      this.#news.delete(key);
      if (usedMs > 0) news.push([key, requests]);
    }
    return news;
  }

  #fullAtOf(key: string, nowMs: number): number {
    const fullAtMs = this.#fullAt.get(key) ?? 0;
    // Later than an empty bucket's: the host's clock was set back.
    const isOfAnotherTime = fullAtMs > nowMs + this.limit.windowMs + this.#refillMs;
    return isOfAnotherTime ? nowMs : Math.max(fullAtMs, nowMs);
  }

  /** In the order of use, latest last. */
  #put(key: string, fullAtMs: number): void {
    this.#fullAt.delete(key);
    this.#fullAt.set(key, fullAtMs);
    if (this.#fullAt.size <= this.maxKeys) return;
    const [oldest] = this.#fullAt.keys();
    this.#fullAt.delete(oldest as string);
    this.#news.delete(oldest as string);
  }
}
