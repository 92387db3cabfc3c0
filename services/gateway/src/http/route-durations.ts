import { type Duration, Durations } from '@parley/shared/observability';

const durations = new Durations(
  'parley_http_request_seconds',
  'Requests answered, by the template of their path; 499: the client hung up',
);

/** Durations of one method and path template, of which there are few. */
export class RouteDurations {
  readonly #byStatus = new Map<number, Duration>();

  constructor(
    private readonly method: string,
    readonly route: string,
  ) {}

  since(beganAtMs: number, status: number): void {
    let duration = this.#byStatus.get(status);
    if (duration === undefined) {
      duration = durations.of({ method: this.method, route: this.route, status: String(status) });
      this.#byStatus.set(status, duration);
    }
    duration.since(beganAtMs);
  }
}

/** For paths and methods that do not exist. */
export const NO_ROUTE = new RouteDurations('any', 'none');
