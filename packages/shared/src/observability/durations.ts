import type { Metric } from 'prom-client';
import { registry } from './registry';

/** Seconds; from what the database answers at once to what a caller gives up. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

type Labels = Readonly<Record<string, string>>;

/** One series of a histogram; whoever measures often keeps it. */
export class Duration {
  /** Of each bound those that are below it and above the one before; the last one is of all that took longer. */
  readonly counts: number[] = new Array(BOUNDS.length + 1).fill(0);
  sum = 0;

  constructor(readonly labels: Labels) {}

  /** What began at `sinceMs` of performance.now() has ended. */
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
 * A histogram of how long something takes, to be declared once for the process. Noting a duration is two additions; prom-client's own
 * histograms make a text of the labels each time. The labels must be of few values: no user, organization or channel.
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
