import type { StreamInfo } from 'nats';
import { declareGauge, onScrape } from '../observability';
import type { Bus } from './bus';
import type { OutboxRelay } from './outbox-relay';

const OF_STREAM = ['service', 'of'];
const copies = declareGauge('parley_stream_copies', 'Servers that have all of a stream', OF_STREAM);
const wanted = declareGauge('parley_stream_copies_wanted', 'Servers that should have it', OF_STREAM);
const bytes = declareGauge('parley_stream_bytes', 'What a stream takes on the disk of each of them', OF_STREAM);
const limit = declareGauge('parley_stream_limit_bytes', 'What it may take; 0: as much as there is', OF_STREAM);
const oldest = declareGauge('parley_stream_oldest_seconds', 'How far back it reaches', OF_STREAM);
const allBytes = declareGauge('parley_jetstream_bytes', 'What the account has stored in JetStream', ['service']);
const allLimit = declareGauge('parley_jetstream_limit_bytes', 'What it may store; 0: as much as there is', ['service']);
const unhandled = declareGauge(
  'parley_log_unhandled_records',
  'Records of the log that a service has yet to handle, by kind of event',
  ['service', 'kind'],
);

/** Reports the broker's state of the log and the queues, on the replica that publishes, until the returned function is called. */
export function measureLog(service: string, bus: Bus, relay: Pick<OutboxRelay, 'isLeading'>): () => void {
  const whileLeading =
    <T>(read: () => Promise<T[]>) =>
    async () =>
      relay.isLeading ? read() : [];
  // Separately, so that an unanswered one does not suppress the others.
  const stops = [
    onScrape(whileLeading(() => readStream(service, 'log', bus, bus.stream))),
    onScrape(whileLeading(() => readStream(service, 'queues', bus, `KV_${bus.queueBucket}`))),
    onScrape(whileLeading(() => readAccount(service, bus))),
    onScrape(whileLeading(() => readConsumers(service, bus))),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

async function readStream(service: string, of: string, { jsm, copies: counted }: Bus, name: string) {
  const info = await jsm.streams.info(name);
  const labels = { service, of };
  const count = counted.countOf(info);
  return [
    { gauge: copies, value: count.copies, labels },
    { gauge: wanted, value: count.wanted, labels },
    { gauge: bytes, value: info.state.bytes, labels },
    { gauge: limit, value: Math.max(0, info.config.max_bytes), labels },
    { gauge: oldest, value: ageSecsOf(info), labels },
  ];
}

function ageSecsOf({ ts, state }: StreamInfo & { ts?: string }): number {
  if (state.messages === 0) return 0;
  const nowMs = ts === undefined ? Date.now() : Date.parse(ts);
  return Math.max(0, (nowMs - Date.parse(String(state.first_ts))) / 1000);
}

async function readAccount(service: string, { jsm }: Bus) {
  const { storage, limits } = await jsm.getAccountInfo();
  return [
    { gauge: allBytes, value: storage, labels: { service } },
    { gauge: allLimit, value: Math.max(0, limits.max_storage), labels: { service } },
  ];
}

/** Each service reports its own consumers, whose names begin with the service's. */
async function readConsumers(service: string, { jsm, stream }: Bus) {
  const readings = [];
  for await (const { name, config, num_pending, num_ack_pending } of jsm.consumers.list(stream)) {
    if (config.durable_name === undefined || !name.startsWith(`${service}-`)) continue;
    const kind = name.slice(service.length + 1);
    readings.push({ gauge: unhandled, value: num_pending + num_ack_pending, labels: { service, kind } });
  }
  return readings;
}

const LABELS = ['service'];
const waiting = declareGauge('parley_outbox_waiting_events', 'Events that are not in the log yet', LABELS);
const oldestWaiting = declareGauge(
  'parley_outbox_oldest_waiting_seconds',
  'How long the first of them has waited',
  LABELS,
);
const refilling = declareGauge('parley_outbox_refill_rows', 'Rows to go until a lost log is refilled', LABELS);
const leading = declareGauge('parley_outbox_leading', 'Whether this replica publishes: 1 or 0', LABELS);
const delay = declareGauge(
  'parley_outbox_publish_delay_seconds',
  'From the last change to its being in the log',
  LABELS,
);

/** Measures a relay until the returned function is called: every replica reports how far the log is behind the outbox. */
export function measureRelay(service: string, relay: Pick<OutboxRelay, 'gauges'>): () => void {
  const labels = { service };
  return onScrape(async () => {
    const { isLeading, publishDelayMs, waitingEvents, oldestWaitingMs, rowsToRefill } = await relay.gauges();
    return [
      { gauge: waiting, value: waitingEvents, labels },
      { gauge: oldestWaiting, value: oldestWaitingMs / 1000, labels },
      { gauge: refilling, value: rowsToRefill, labels },
      { gauge: leading, value: isLeading ? 1 : 0, labels },
      { gauge: delay, value: publishDelayMs / 1000, labels },
    ];
  });
}
