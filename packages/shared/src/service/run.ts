import type { Logger } from '../observability';
import { reportTracing, serveMetrics, stopTracing } from '../observability';
import { die, endIfExplained, orExit } from './exit';
import { freeMemoryOfStart } from './memory-of-start';
import { showSourcePositions } from './source-positions';

/** A service as main.ts and dev-env know it. */
export interface Service {
  /** Its address, once started: `host:port`. */
  readonly address: string;
  start(): Promise<void>;
  /** Stops accepting, finishes pending requests, closes its connections. */
  stop(): Promise<void>;
}

/** The process that main.ts creates from the settings. */
export interface Startable {
  service: Service;
  log: Logger;
  /** METRICS_LISTEN. */
  metricsListen: string | undefined;
}

/**
 * The life cycle of a service process: create, start, wait for SIGTERM or SIGINT, stop. Called by every main.ts. A service that
 * cannot start prints one line and exits with 1; an uncaught error ends the process, so that it is restarted in a known state.
 */
export async function runService(create: () => Startable): Promise<void> {
  showSourcePositions();
  const { service, log, metricsListen } = orExit(create);
  reportTracing((problem) => log.warn({ problem }, 'traces are not sent'));
  process.on('unhandledRejection', (error) => die(log, error, 'unhandled rejection'));
  process.on('uncaughtException', (error) => die(log, error, 'uncaught exception'));
  let isStopping = false;
  // A service started over IPC (by a script, a benchmark) must not outlive its parent.
  for (const signal of ['SIGTERM', 'SIGINT', 'disconnect'] as const) {
    process.once(signal, () => {
      isStopping = true;
      void stop(service, log, signal);
    });
  }
  try {
    // Before the service, because a migration may take long; and until the process ends, for its last seconds.
    const metrics = metricsListen === undefined ? undefined : await serveMetrics(metricsListen);
    await service.start();
    freeMemoryOfStart();
    log.info({ address: service.address, metrics: metrics?.address }, 'started');
    process.send?.({ started: service.address, metrics: metrics?.address });
  } catch (error) {
    // A stop during a start aborts it.
    if (isStopping) return;
    endIfExplained(error);
    die(log, error, 'cannot start');
  }
}

async function stop(service: Service, log: Logger, signal: string): Promise<void> {
  log.info({ signal }, 'stopping');
  try {
    await service.stop();
    await stopTracing();
    process.exit(0);
  } catch (error) {
    die(log, error, 'did not stop cleanly');
  }
}
