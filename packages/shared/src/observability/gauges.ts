import { Gauge } from 'prom-client';
import { registry } from './registry';

/** A scrape is waited for by Prometheus for ten seconds: what cannot be read, because the database is away, is left out. */
const PATIENCE_MS = 2_000;

/** What a gauge shows now. */
export interface Reading {
  gauge: Gauge;
  value: number;
  labels?: Readonly<Record<string, string>>;
}

type Read = () => readonly Reading[] | Promise<readonly Reading[]>;

interface DeclaredGauge {
  gauge: Gauge;
  isLabelled: boolean;
}

const gauges: DeclaredGauge[] = [];
const sources = new Set<Read>();

/** Declares a gauge, once for the process. The labels must be of few values: no user, organization or channel. */
export function declareGauge(name: string, help: string, labelNames: readonly string[] = []): Gauge {
  const gauge = new Gauge({ name, help, labelNames, registers: [registry] });
  gauges.push({ gauge, isLabelled: labelNames.length > 0 });
  return gauge;
}

/** Has gauges read whenever somebody asks, until the returned function is called; several readings of the same are added up. */
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

/** A gauge without labels is 0 after its reset: nobody has measured that. */
function forget({ gauge, isLabelled }: DeclaredGauge): void {
  gauge.reset();
  if (!isLabelled) gauge.remove();
}

async function readWithin(read: Read): Promise<readonly Reading[]> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<readonly Reading[]>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS, []);
  });
  const reading = (async () => read())().catch(() => []);
  try {
    return await Promise.race([reading, patience]);
  } finally {
    clearTimeout(timer);
  }
}
