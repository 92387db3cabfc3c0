import type { JetStreamClient, JetStreamManager, NatsConnection, StreamInfo } from 'nats';
import { ConfigError } from '../errors';
import { declareGauge, type Logger, onScrape } from '../observability';
import { connectNats, isRefusal, type NatsAccess } from './connect-nats';
import { Copies } from './copies';
import { LogStream } from './log-stream';

const connected = declareGauge('parley_nats_connected', 'Whether NATS is reached: 1 or 0', ['service']);

/** Minimum max_payload of the broker: an edit of the longest message has its HTML before and after. */
export const MIN_MAX_PAYLOAD = 8 * 1024 ** 2;

/** Creating with replicas takes the servers some time to elect a leader. */
const CREATE_TIMEOUT_MS = 20_000;
/** A server that is being replaced is unreachable for less time: its clients connect to another one, or to its successor. */
const AWAY_MS = 3_000;

/** The connection to NATS, and the names of Parley's streams. */
export interface Bus {
  readonly connection: NatsConnection;
  readonly js: JetStreamClient;
  readonly jsm: JetStreamManager;
  /** Name of the stream that is the event log. */
  readonly stream: string;
  /** Name of the key-value bucket of clients' queues, created by events. */
  readonly queueBucket: string;
  /** Number of copies that the broker keeps of them. */
  readonly copies: Copies;
  /** Prefix of every name on the broker, see NATS_PREFIX. */
  readonly prefix: string;
  /** Subject of a log record: `<prefix>events.<realm>.<kind>`. */
  subject(realmId: number, kind: string): string;
  /** The wildcard for subjects of the kind in all organizations. */
  subjectOfAll(kind: string): string;
  /** Creates the log's stream if it does not exist, also after it was deleted. */
  ensureStream(): Promise<StreamInfo>;
  /** Recreates a log that does not store its records. Called by relays, which can refill it. */
  makeStreamAnew(): Promise<StreamInfo>;
  close(): Promise<void>;
  /** Closes at once, without waiting for an unreachable broker; for callers with nothing left to publish. */
  abandon(): Promise<void>;
}

/** See busOptionsOf(). */
export interface BusOptions extends NatsAccess {
  prefix: string;
  /** NATS_REPLICAS. */
  replicas?: number | undefined;
  name: string;
  log: Logger;
  /** Aborts waiting for an unreachable broker. */
  signal?: AbortSignal;
}

/**
 * Connects, and reconnects until the process ends; called once per process. Throws ConfigError if the broker rejects
 * this process, or does not accept records of the maximum size: a refused record would block all later
 * ones.
 */
export async function connectBus({ prefix, replicas, name, log, signal, ...access }: BusOptions): Promise<Bus> {
  const connection = await connectNats(access, name, log, signal);
  const max = connection.info?.max_payload ?? 0;
  if (max < MIN_MAX_PAYLOAD) {
    await connection.close();
    throw new ConfigError(`NATS takes ${max} bytes at once: set its max_payload to ${MIN_MAX_PAYLOAD} (8MB) at least`);
  }
  const link = { isUp: true };
  void followStatus(connection, link, log);
  const stopMeasuring = onScrape(() => [{ gauge: connected, value: link.isUp ? 1 : 0, labels: { service: name } }]);
  const jsm = await connection.jetstreamManager({ checkAPI: false });
  const stream = `${prefix}EVENTS`;
  const copies = new Copies(connection, jsm, { wanted: replicas, log });
  const creatingJsm = await connection.jetstreamManager({ checkAPI: false, timeout: CREATE_TIMEOUT_MS });
  const logStream = new LogStream(jsm, { name: stream, prefix, creatingJsm, copies, log });
  return {
    connection,
    js: connection.jetstream(),
    jsm,
    stream,
    queueBucket: `${prefix}queues`,
    copies,
    prefix,
    subject: (realmId, kind) => `${prefix}events.${realmId}.${kind}`,
    subjectOfAll: (kind) => `${prefix}events.*.${kind}`,
    ensureStream: () => logStream.ensure(),
    makeStreamAnew: () => logStream.makeAnew(),
    close() {
      stopMeasuring();
      // NOTE: while the broker is unreachable, drain() ends without closing, and the client would reconnect.
      return connection.drain().finally(() => connection.close());
    },
    abandon() {
      stopMeasuring();
      return connection.close();
    },
  };
}

async function followStatus(connection: NatsConnection, link: { isUp: boolean }, log: Logger): Promise<void> {
  let warning: NodeJS.Timeout | undefined;
  let isWarned = false;
  let isRefused = false;
  const warn = () => {
    isWarned = true;
    log.warn('NATS is away');
  };
  for await (const { type, data } of connection.status()) {
    if (type === 'disconnect' && link.isUp) {
      link.isUp = false;
      warning = setTimeout(warn, AWAY_MS).unref();
    } else if (type === 'reconnect') {
      link.isUp = true;
      clearTimeout(warning);
      if (isWarned || isRefused) log.info('NATS is back');
      isWarned = false;
      isRefused = false;
    } else if (type === 'error' && isRefusal(String(data)) && !isRefused) {
      isRefused = true;
      log.error('NATS refuses this service now; trying again until its user and password are right');
    }
  }
  clearTimeout(warning);
}

/** The broker's version and limits, for operators. Throws when it is unreachable or has no JetStream. */
export async function describeBroker({ connection, jsm }: Pick<Bus, 'connection' | 'jsm'>): Promise<string> {
  await connection.rtt();
  const { streams } = await jsm.getAccountInfo();
  const { version, max_payload: maxPayload } = connection.info ?? { version: '', max_payload: 0 };
  return `NATS ${version}, JetStream with ${streams} streams, max_payload ${maxPayload}`;
}
