import { randomUUID } from 'node:crypto';
import type { Bus } from '@parley/shared/bus';
import { z } from 'zod';
import type { Context } from '../context';
import { LIMIT_NAMES, type LimitName } from './limits';
import type { RateLimits } from './rate-limits';

const INTERVAL_MS = 1_000;
/** Maximum number of counts per bucket in a message: the broker accepts a megabyte. */
const MAX_SHARED = 4_000;
/** Older counts are dropped, because the buckets have refilled. */
const MAX_AGE_MS = 5_000;

type OptionalCounts = z.ZodOptional<typeof counts>;
const counts = z.array(z.tuple([z.string(), z.int().positive()]));
const optionalCounts = Object.fromEntries(LIMIT_NAMES.map((name) => [name, counts.optional()]));
const newsSchema = z.object({
  from: z.string(),
  atMs: z.number(),
  ...(optionalCounts as Record<LimitName, OptionalCounts>),
});
type News = z.infer<typeof newsSchema>;

/**
 * Makes the gateways count together, with a delay of a second: each sends its counts to the others. Without the broker, each
 * counts for itself. Returns a function to stop.
 */
export function shareCounts({ config, clock, rateLimits }: Context, bus: Promise<Bus>): () => void {
  let stopSharing: (() => void) | undefined;
  let isStopped = !config.RATE_LIMITS;
  // Not awaited: the gateway serves without the broker.
  void bus.then((connected) => {
    if (!isStopped) stopSharing = share(connected, rateLimits, () => clock.now());
  });
  return () => {
    isStopped = true;
    stopSharing?.();
  };
}

function share(bus: Bus, rateLimits: RateLimits, now: () => number): () => void {
  const from = randomUUID();
  const subject = `${bus.prefix}rate-limits`;
  bus.connection.subscribe(subject, {
    callback: (_error, message) => take(rateLimits, readNews(message.data), from, now()),
  });
  const timer = setInterval(() => {
    const news = takeNewCounts(rateLimits, from, now());
    if (LIMIT_NAMES.some((name) => news[name]?.length)) bus.connection.publish(subject, JSON.stringify(news));
  }, INTERVAL_MS);
  return () => clearInterval(timer);
}

function takeNewCounts({ buckets }: RateLimits, from: string, atMs: number): News {
  const counts = LIMIT_NAMES.map((name) => [name, buckets[name].takeNewCounts(atMs, MAX_SHARED)]);
  return { from, atMs, ...Object.fromEntries(counts) };
}

function take({ buckets }: RateLimits, news: News | undefined, own: string, nowMs: number): void {
  if (news === undefined || news.from === own || Math.abs(nowMs - news.atMs) > MAX_AGE_MS) return;
  for (const name of LIMIT_NAMES) buckets[name].add(news[name] ?? [], nowMs);
}

/** Undefined for unknown messages of a gateway of another version. */
function readNews(data: Uint8Array): News | undefined {
  try {
    return newsSchema.parse(JSON.parse(Buffer.from(data).toString()));
  } catch {
    return undefined;
  }
}
