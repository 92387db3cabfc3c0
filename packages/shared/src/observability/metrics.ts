import type { ServerResponse } from 'node:http';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics, Gauge, type Metric, Registry } from 'prom-client';
import { PublicError, ServiceUnavailableError } from '../errors';

/** The metrics of this process. Outside of tests each service is a separate process. */
export const registry = new Registry();

/** Seconds; from fast statements up to the callers' timeouts. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

type Labels = Readonly<Record<string, string>>;

/** One series of a histogram; frequent callers cache it. */
export class Duration {
  /** Counts by bucket, not cumulative; the last one is above all bounds. */
  readonly counts: number[] = new Array(BOUNDS.length + 1).fill(0);
  sum = 0;

  constructor(readonly labels: Labels) {}

  /** Records the duration since `sinceMs` of performance.now(). */
  since(sinceMs: number): void {
    this.took((performance.now() - sinceMs) / 1000);
  }

  took(seconds: number): void {
    let index = 0;
    while (index < BOUNDS.length && seconds > (BOUNDS[index] as number)) index += 1;
    this.counts[index] = (this.counts[index] as number) + 1;
    this.sum += seconds;
  }
}

/**
 * A histogram of durations, to be declared once per process. Recording a duration is two additions; prom-client's own
 * histograms build a string of the labels each time. Labels must have few values: no user, organization or channel.
 */
export class Durations {
  readonly #series = new Map<string, Duration>();

  constructor(
    readonly name: string,
    private readonly help: string,
  ) {
    registry.registerMetric(this as unknown as Metric);
  }

  of(labels: Labels): Duration {
    const key = JSON.stringify(labels);
    const known = this.#series.get(key) ?? new Duration(labels);
    this.#series.set(key, known);
    return known;
  }

  /** Called by the registry. */
  async get() {
    const values = [...this.#series.values()].flatMap((duration) => this.#valuesOf(duration));
    return { name: this.name, help: this.help, type: 'histogram', aggregator: 'sum', values };
  }

  #valuesOf({ labels, counts, sum }: Duration) {
    let count = 0;
    const buckets = counts.map((own, index) => {
      count += own;
      return { metricName: `${this.name}_bucket`, labels: { ...labels, le: BOUNDS[index] ?? '+Inf' }, value: count };
    });
    return [
      ...buckets,
      { metricName: `${this.name}_sum`, labels, value: sum },
      { metricName: `${this.name}_count`, labels, value: count },
    ];
  }
}

/**
 * Prometheus waits ten seconds for a scrape: a value that cannot be read in time, because the database is unreachable, is
 * omitted.
 */
const TIMEOUT_MS = 2_000;

/** A gauge's current value. */
interface GaugeValue {
  gauge: Gauge;
  value: number;
  labels?: Readonly<Record<string, string>>;
}

type Read = () => readonly GaugeValue[] | Promise<readonly GaugeValue[]>;

interface DeclaredGauge {
  gauge: Gauge;
  isLabelled: boolean;
}

const gauges: DeclaredGauge[] = [];
const sources = new Set<Read>();

/** Declares a gauge, once per process. Labels must have few values: no user, organization or channel. */
export function declareGauge(name: string, help: string, labelNames: readonly string[] = []): Gauge {
  const gauge = new Gauge({ name, help, labelNames, registers: [registry] });
  gauges.push({ gauge, isLabelled: labelNames.length > 0 });
  return gauge;
}

/** Reads gauges at each scrape, until the returned function is called; values of the same series are summed. */
export function onScrape(read: Read): () => void {
  sources.add(read);
  return () => void sources.delete(read);
}

/** Called before the registry is written. */
export async function readGauges(): Promise<void> {
  const readings = await Promise.all([...sources].map(readWithin));
  for (const declared of gauges) forget(declared);
  for (const { gauge, value, labels = {} } of readings.flat()) gauge.inc({ ...labels }, value);
}

/** Also removes gauges without labels, which would show 0 after a reset although nothing was measured. */
function forget({ gauge, isLabelled }: DeclaredGauge): void {
  gauge.reset();
  if (!isLabelled) gauge.remove();
}

async function readWithin(read: Read): Promise<readonly GaugeValue[]> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<readonly GaugeValue[]>((resolve) => {
    timer = setTimeout(resolve, TIMEOUT_MS, []);
  });
  const reading = (async () => read())().catch(() => []);
  try {
    return await Promise.race([reading, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

const NODE_METRIC = 'process_cpu_seconds_total';

export interface MetricsServer {
  /** `host:port`, with the actual port. */
  address: string;
  stop(): Promise<void>;
}

/** Serves `GET /metrics` at host:port, separate from the public server; port 0 takes a free one. Called by runService(). */
export async function serveMetrics(listen: string): Promise<MetricsServer> {
  // Collecting has a small cost, so only processes that serve metrics do it.
  if (!registry.getSingleMetric(NODE_METRIC)) collectDefaultMetrics({ register: registry });
  const server = http.createServer((req, res) => {
    if (req.method === 'GET' && req.url === '/metrics') void answer(res);
    else res.writeHead(404).end();
  });
  const colon = listen.lastIndexOf(':');
  const host = listen.slice(0, colon);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(Number(listen.slice(colon + 1)), host.replace(/^\[|\]$/g, ''), resolve);
  });
  return {
    address: `${host}:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(res: ServerResponse): Promise<void> {
  try {
    await readGauges();
    const text = await registry.metrics();
    res.writeHead(200, { 'Content-Type': registry.contentType }).end(text);
  } catch {
    res.writeHead(500).end();
  }
}

/** ok, refused (the caller's error, an error of the API), unavailable (to be retried), failed (a bug). */
const OUTCOMES = ['ok', 'refused', 'unavailable', 'failed'] as const;

type Outcome = (typeof OUTCOMES)[number];
type Call<Arguments extends unknown[], Result> = (...args: Arguments) => Promise<Result>;

/** The same call, with its duration recorded by outcome. */
export function measuredCall<Arguments extends unknown[], Result>(
  durations: Durations,
  method: string,
  call: Call<Arguments, Result>,
): Call<Arguments, Result> {
  const note = (outcome: Outcome, beganAtMs: number) => durations.of({ method, outcome }).since(beganAtMs);
  let ok: ReturnType<Durations['of']> | undefined;
  return async (...args) => {
    const beganAtMs = performance.now();
    try {
      const result = await call(...args);
      ok ??= durations.of({ method, outcome: 'ok' });
      ok.since(beganAtMs);
      return result;
    } catch (error) {
      note(outcomeOf(error), beganAtMs);
      throw error;
    }
  };
}

function outcomeOf(error: unknown): Outcome {
  if (error instanceof ServiceUnavailableError) return 'unavailable';
  return error instanceof PublicError ? 'refused' : 'failed';
}
