import {
  connect,
  type JetStreamClient,
  type JetStreamManager,
  type NatsConnection,
  RetentionPolicy,
  StorageType,
} from 'nats';
import { declareGauge, onScrape } from '../observability';
import type { Logger } from '../service';

const HOUR_NS = 3_600_000_000_000;

/** The event log's bounds: what is older, or beyond the size, can no longer be replayed. The broker sets the size aside. */
export const LOG_RETENTION_HOURS = 24 * 7;
const LOG_MAX_BYTES = 2 * 1024 ** 3;
/** A record that was published but not marked so (the relay died in between) is recognized for this long. */
const DUPLICATE_WINDOW_NS = HOUR_NS;

const connected = declareGauge('parley_nats_connected', 'Whether NATS is reached: 1 or 0', ['service']);

/** The connection to NATS, and the names of what Parley keeps there. */
export interface Bus {
  readonly connection: NatsConnection;
  readonly js: JetStreamClient;
  readonly jsm: JetStreamManager;
  /** Name of the stream that is the event log. */
  readonly stream: string;
  /** Prefix of every name on the broker, see NATS_PREFIX. */
  readonly prefix: string;
  /** Subject of a log record: `<prefix>events.<realm>.<kind>`. */
  subject(realmId: number, kind: string): string;
  /** What stands for the subjects of that kind in all organizations. */
  subjectOfAll(kind: string): string;
  /** Makes the log's stream when it does not exist; again after somebody deleted it. */
  ensureStream(): Promise<void>;
  close(): Promise<void>;
}

export interface BusOptions {
  url: string;
  prefix: string;
  name: string;
  log: Logger;
}

/** Connects, and keeps reconnecting for as long as the process lives; called once per process. */
export async function connectBus({ url, prefix, name, log }: BusOptions): Promise<Bus> {
  const connection = await connect({
    servers: url.split(','),
    name,
    maxReconnectAttempts: -1,
    waitOnFirstConnect: true,
    reconnectTimeWait: 100,
    reconnectJitter: 200,
    pingInterval: 10_000,
  });
  const link = { isUp: true };
  void followStatus(connection, link, log);
  const stopMeasuring = onScrape(() => [{ gauge: connected, value: link.isUp ? 1 : 0, labels: { service: name } }]);
  const jsm = await connection.jetstreamManager({ checkAPI: false });
  const bus: Bus = {
    connection,
    js: connection.jetstream(),
    jsm,
    stream: `${prefix}EVENTS`,
    prefix,
    subject: (realmId, kind) => `${prefix}events.${realmId}.${kind}`,
    subjectOfAll: (kind) => `${prefix}events.*.${kind}`,
    ensureStream: () => ensureStream(bus),
    close() {
      stopMeasuring();
      return connection.drain();
    },
  };
  return bus;
}

async function ensureStream({ jsm, stream, prefix }: Bus): Promise<void> {
  const config = {
    subjects: [`${prefix}events.>`],
    retention: RetentionPolicy.Limits,
    storage: StorageType.File,
    max_age: LOG_RETENTION_HOURS * HOUR_NS,
    max_bytes: LOG_MAX_BYTES,
    duplicate_window: DUPLICATE_WINDOW_NS,
    allow_direct: true,
  };
  try {
    await jsm.streams.info(stream);
  } catch {
    await jsm.streams.add({ name: stream, ...config });
  }
}

async function followStatus(connection: NatsConnection, link: { isUp: boolean }, log: Logger): Promise<void> {
  for await (const { type } of connection.status()) {
    if (type === 'disconnect') {
      link.isUp = false;
      log.warn('NATS is away');
    } else if (type === 'reconnect') {
      link.isUp = true;
      log.info('NATS is back');
    }
  }
}
